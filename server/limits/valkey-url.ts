import type { TlsWords } from '../core/tls-advice.ts'
import { type ClientCertificate, readAuthority, readClientCertificate } from '../core/tls-files.ts'

/** The address of a Valkey or Redis server. */
export interface ValkeyAddress {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  /** The number of the database. */
  readonly db: number
  /** False without TLS. */
  readonly tls: false | ValkeyTls
}

/** As Node's `tls.connect` takes it. */
interface ValkeyTls extends Partial<ClientCertificate> {
  /** Certificates (PEM) that are trusted in place of the public authorities'. */
  readonly ca?: string
}

export const tlsWords: TlsWords = {
  authority: 'cacert',
  clear: 'valkey:// or redis://',
  clientCertificate: 'cert=<file>&key=<file>',
}

/** Parameters with the names that `valkey-cli` and `redis-cli` use. */
const files: readonly string[] = ['cacert', 'cert', 'key']

const form =
  'must look like valkey://user:password@host:6379/0, or valkeys:// for TLS (redis:// and rediss:// work too); # / ? @ : and % of a password are written %23 %2F %3F %40 %3A %25'
const databaseForm = /^\/?$|^\/(\d{1,4})$/

/**
 * `VALKEY_URL`: `valkey://` or `redis://`, with an s for TLS; port 6379, database 0; the files of
 * `?cacert=ca.pem&cert=client.crt&key=client.key` are read.
 * @throws Error that quotes nothing of the URL but the paths of those files
 */
export function parseValkeyUrl(text: string): ValkeyAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  const database = url?.hash === '' ? databaseForm.exec(url.pathname) : null
  if (
    url === null ||
    !/^(?:valkey|redis)s?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.port === '0' ||
    database === null
  )
    throw new Error(form)
  const tls = readTls(url)
  if (url.username !== '' && url.password === '')
    throw new Error('has a user but no password; without a user, use valkey://:password@host')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.username !== '' && { username: decoded(url.username) }),
    ...(url.password !== '' && { password: decoded(url.password) }),
    db: Number(database[1] ?? 0),
    tls,
  }
}

function readTls({ protocol, searchParams: given }: URL): false | ValkeyTls {
  const names = [...given.keys()]
  if (names.some((name) => !files.includes(name) || given.getAll(name).length > 1))
    throw new Error('has an unknown parameter; allowed parameters: cacert=<file>, cert=<file>, key=<file>')
  if (protocol !== 'valkeys:' && protocol !== 'rediss:') {
    if (names.length === 0) return false
    throw new Error(`has ${names[0]} but no TLS; use valkeys:// or rediss://`)
  }
  const authority = given.get('cacert')
  return {
    ...(authority !== null && { ca: readAuthority('cacert', authority) }),
    ...readClientCertificate(given, 'cert', 'key'),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('has a % in its user or password that is not an escape; write it as %25')
  }
}
