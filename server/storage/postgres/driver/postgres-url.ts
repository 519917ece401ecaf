import type { TlsWords } from '../../../core/tls-trust.ts'
import { readPasswordFile } from './password-file.ts'
import { type PostgresTls, readPostgresTls, tlsParameters } from './postgres-tls.ts'

/** Where a PostgreSQL server may be; of several the one that takes writes is used. */
export interface PostgresHost {
  /** A name or an address, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string
  readonly port: number
}

/** What `DATABASE_URL` says. */
export interface PostgresUrl {
  readonly hosts: readonly PostgresHost[]
  readonly user: string
  /** As a function asked anew for each connection. */
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

/**
 * Reads `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full&sslrootcert=ca.pem`, and the files
 * it names; or `postgres://user@/database?host=/var/run/postgresql` for a Unix socket. Who shows a certificate (`&sslcert=client.crt&sslkey=client.key`) may need no password.
 * @param passwordFile where the password is, if not in the URL
 * @throws Error in plain words that never repeats the password
 */
export function parsePostgresUrl(url: string, passwordFile?: string): PostgresUrl {
  const [, user = '', password = '', hostList = '', database = '', query = ''] = form.exec(url) ?? []
  if (!form.test(url)) throw new Error('must look like postgres://user:password@host:5432/database')
  const parameters = new URLSearchParams(query)
  if ([hostList, database, ...parameters.keys()].some((part) => part.includes('@')))
    throw new Error('has an @ too many: write @ / % of the user or password as %40 %2F %25')
  const isSocket = hostList === '' && parameters.has('host')
  const hosts = isSocket ? [readSocket(parameters)] : hostList.split(',').map(readHost)
  for (const name of parameters.keys()) {
    if (!tlsParameters.includes(name))
      throw new Error(`has the parameter ${name}; known are ${tlsParameters.join(', ')}`)
    if (parameters.getAll(name).length > 1) throw new Error(`has ${name} twice`)
  }
  if (user === '') throw new Error('names no user: postgres://user:password@host:5432/database')
  if (database === '') throw new Error('names no database: postgres://user:password@host:5432/database')
  return {
    hosts,
    user: decode(user),
    password: passwordFile === undefined ? decode(password) : passwordIn(passwordFile, password),
    database: decode(database),
    ssl: readPostgresTls(parameters, isSocket || hosts.every(({ host }) => loopback.has(host))),
  }
}

/**
 * `?host=/var/run/postgresql&port=5432` without a host before the path, as libpq has it. Both are taken out of the
 * parameters.
 */
function readSocket(parameters: URLSearchParams): PostgresHost {
  const [folder = '', ...more] = parameters.getAll('host')
  const [port = '5432', ...otherPorts] = parameters.getAll('port')
  if (!folder.startsWith('/') || more.length > 0) {
    throw new Error('has a host=… that is not one folder of a Unix socket: write host=/var/run/postgresql')
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535 || otherPorts.length > 0) {
    throw new Error('has a port=… that is not one number from 1 to 65535')
  }
  parameters.delete('host')
  parameters.delete('port')
  const [tls] = parameters.keys()
  if (tls !== undefined && parameters.get('sslmode') !== 'disable') {
    throw new Error(`has ${tls}, but there is no TLS on a Unix socket: leave it out`)
  }
  return { host: folder, port: Number(port) }
}

/** Read once here, so that a file that cannot be used is told of at the start. */
function passwordIn(file: string, written: string): () => string {
  if (written !== '')
    throw new Error(
      'TENANTRY_DATABASE_PASSWORD_FILE: DATABASE_URL has a password too; take it out there, or unset this',
    )
  readPasswordFile(file)
  return () => readPasswordFile(file)
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    throw new Error('has a % that is no percent-encoding: write %25 for it in user, password or database')
  }
}

function readHost(written: string, index: number): PostgresHost {
  const [, host, port = '5432'] = hostForm.exec(written) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`names no host as number ${index + 1}: write host, host:5432 or [::1]:5432, commas between several`)
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
