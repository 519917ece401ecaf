import { readFileSync } from 'node:fs'

/** Where a PostgreSQL server may be; of several the one that takes writes is used. */
export interface PostgresHost {
  readonly host: string
  readonly port: number
}

/** What `DATABASE_URL` says. */
export interface PostgresUrl {
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly ssl:
    | false
    | { readonly rejectUnauthorized: boolean; readonly ca?: string; readonly checkServerIdentity?: () => undefined }
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const form = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/
const hostForm = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
const loopback = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * Reads `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full&sslrootcert=ca.pem`. Without a mode
 * the server's certificate is verified, unless all hosts are this machine.
 * Throws an Error in plain words that never repeats the password.
 */
export function parsePostgresUrl(url: string): PostgresUrl {
  const [, user = '', password = '', hostList = '', database = '', query = ''] = form.exec(url) ?? []
  if (!form.test(url)) throw new Error('must look like postgres://user:password@host:5432/database')
  const hosts = hostList.split(',').map(readHost)
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (name !== 'sslmode' && name !== 'sslrootcert')
      throw new Error(`has the parameter ${name}; known are sslmode and sslrootcert`)
  }
  if (user === '') throw new Error('names no user: postgres://user:password@host:5432/database')
  if (database === '') throw new Error('names no database: postgres://user:password@host:5432/database')
  return {
    hosts,
    user: decode(user),
    password: decode(password),
    database: decode(database),
    ssl: readSsl(
      parameters,
      hosts.every(({ host }) => loopback.has(host)),
    ),
  }
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    throw new Error('has a % that is no percent-encoding: write %25 for it in user, password or database')
  }
}

function readHost(written: string): PostgresHost {
  const [, host, port = '5432'] = hostForm.exec(written) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`has the host "${written}"; write host, host:5432 or [::1]:5432, several with commas between`)
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function readSsl(parameters: URLSearchParams, isLocal: boolean): PostgresUrl['ssl'] {
  const mode = parameters.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full')
  if (!(modes as readonly string[]).includes(mode))
    throw new Error(`has sslmode=${mode}; known are ${modes.join(', ')}`)
  if (mode === 'disable') return false
  const path = parameters.get('sslrootcert')
  const ca = path === null ? {} : { ca: readFileSync(path, 'utf8') }
  if (mode === 'require') return { rejectUnauthorized: false }
  return { rejectUnauthorized: true, ...ca, ...(mode === 'verify-ca' && { checkServerIdentity: () => undefined }) }
}
