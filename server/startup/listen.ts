interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Opens a listener.
 * @param kind the prefix of its settings, such as `ADMIN` for `ADMIN_PORT`; none for `PORT`
 * @returns its URL on this machine
 * @throws Error naming the setting to change
 */
export async function listen(
  server: { listen(address: Address): Promise<string> },
  { host, port }: Address,
  kind?: 'ADMIN' | 'METRICS',
): Promise<string> {
  try {
    const url = await server.listen({ host, port })
    // Fastify replaces 0.0.0.0 only. Browsers do not open an unspecified address as one of this machine.
    return url.replace('//[::]:', '//[::1]:')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(advice(code, { host, port }, kind) ?? message)
  }
}

function advice(code: string | undefined, { host, port }: Address, kind: string | undefined): string | undefined {
  const setting = kind === undefined ? 'PORT' : `${kind}_PORT`
  const hostSetting = kind === 'ADMIN' ? 'ADMIN_HOST or HOST' : 'HOST'
  switch (code) {
    case 'EADDRINUSE':
      return `${setting}: port ${port} of ${host} is in use; stop the program that uses it, or set ${setting} to another port`
    case 'EACCES':
      return `${setting}: no permission to listen on port ${port}; set ${setting} to a port above 1023, behind a reverse proxy`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${hostSetting}: ${host} is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for all its addresses`
    case 'EINVAL':
      // Such as a link-local address without its interface.
      return `${hostSetting}: a server cannot listen on ${host}; use 127.0.0.1, or 0.0.0.0 for all addresses of this machine`
  }
}
