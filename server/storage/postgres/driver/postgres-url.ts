import type { TlsWords } from '../../../core/tls-advice.ts'
import { readPasswordFile } from './password-file.ts'
import { type PostgresTls, readPostgresTls, tlsParameters } from './postgres-tls.ts'

export interface PostgresHost {
  /** A name, an address, or the directory of a Unix socket (begins with a slash). */
  readonly host: string
  readonly port: number
}

/** The parts of a PostgreSQL URL. */
export interface PostgresUrl {
  /** Of several hosts, the one that accepts writes is used. */
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  /** A function is called for each new connection. */
  readonly password: string | (() => string)
  readonly database: string
  readonly ssl: PostgresTls
}

export const tlsWords: TlsWords = {
  authority: 'sslrootcert',
  clear: 'sslmode=disable',
  clientCertificate: 'sslcert=<file>&sslkey=<file>',
}

const form = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/
const hostForm = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
const loopback = new Set(['localhost', '127.0.0.1', '::1'])
const example = 'postgres://user:password@host:5432/database'

/**
 * Reads `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full&sslrootcert=ca.pem` and the files it
 * names, or `postgres://user@/database?host=/var/run/postgresql` for a Unix socket. A client certificate
 * (`&sslcert=client.crt&sslkey=client.key`) can replace the password.
 * @param passwordFile holds the password if the URL does not
 * @throws Error whose message never contains the password
 */
export function parsePostgresUrl(url: string, passwordFile?: string): PostgresUrl {
  const [, user = '', password = '', hostList = '', database = '', query = ''] = form.exec(url) ?? []
  if (!form.test(url)) throw new Error(`must have the form ${example}`)
  const parameters = new URLSearchParams(query)
  if ([hostList, database, ...parameters.keys()].some((part) => part.includes('@')))
    throw new Error('has an unescaped @, / or % in the user or password; write %40, %2F or %25')
  const isSocket = hostList === '' && parameters.has('host')
  const hosts = isSocket ? [readSocket(parameters)] : hostList.split(',').map(readHost)
  for (const name of parameters.keys()) {
    if (!tlsParameters.includes(name))
      throw new Error(`has unknown parameter ${name}; supported: ${tlsParameters.join(', ')}`)
    if (parameters.getAll(name).length > 1) throw new Error(`has duplicate parameter ${name}; remove one`)
  }
  if (user === '') throw new Error(`has no user; use the form ${example}`)
  if (database === '') throw new Error(`has no database; use the form ${example}`)
  return {
    hosts,
    user: decode(user),
    password: passwordFile === undefined ? decode(password) : passwordFrom(passwordFile, password),
    database: decode(database),
    ssl: readPostgresTls(parameters, isSocket || hosts.every(({ host }) => loopback.has(host))),
  }
}

/** Reads `?host=/var/run/postgresql&port=5432` as libpq does, and removes both parameters. */
function readSocket(parameters: URLSearchParams): PostgresHost {
  const [folder = '', ...more] = parameters.getAll('host')
  const [port = '5432', ...otherPorts] = parameters.getAll('port')
  if (!folder.startsWith('/') || more.length > 0) {
    throw new Error('has a host parameter that is not a Unix socket directory; use host=/var/run/postgresql')
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535 || otherPorts.length > 0) {
    throw new Error('has an invalid port parameter; use a number from 1 to 65535')
  }
  parameters.delete('host')
  parameters.delete('port')
  const [tls] = parameters.keys()
  if (tls !== undefined && parameters.get('sslmode') !== 'disable') {
    throw new Error(`has ${tls}, but Unix sockets have no TLS; remove it`)
  }
  return { host: folder, port: Number(port) }
}

/** Reads the file once, so that an unusable file is reported at startup. */
function passwordFrom(file: string, passwordInUrl: string): () => string {
  if (passwordInUrl !== '')
    throw new Error('TENANTRY_DATABASE_PASSWORD_FILE: DATABASE_URL has a password too; remove one of them')
  readPasswordFile(file)
  return () => readPasswordFile(file)
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new Error('has an invalid percent-encoding in user, password or database; write % as %25')
  }
}

function readHost(written: string, index: number): PostgresHost {
  const [, host, port = '5432'] = hostForm.exec(written) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`has an invalid host number ${index + 1}; write host, host:5432 or [::1]:5432, separated by commas`)
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
