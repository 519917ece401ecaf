/** Unsupported modes, by the field `redis_mode` or `server_mode` of `INFO server`. */
const unsupported: Readonly<Record<string, string>> = {
  cluster:
    'VALKEY_URL: the server runs in cluster mode, which is not supported; use a server outside a cluster, or leave VALKEY_URL unset to share limits in PostgreSQL',
  sentinel:
    'VALKEY_URL: the server is a Sentinel, which is not supported; use an address of the primary that follows a failover',
}

/**
 * Checks the mode of the server at startup.
 * @param info the answer to `INFO server`
 * @throws Error in a mode that is not supported
 */
export function refuseValkeyMode(info: string): void {
  const [, mode = ''] = /^(?:redis|server)_mode:(\w+)/m.exec(info) ?? []
  const problem = unsupported[mode]
  if (problem !== undefined) throw new Error(problem)
}
