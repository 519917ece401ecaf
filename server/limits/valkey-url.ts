import { readAuthority, type TlsWords } from '../tls-trust.ts'

/** Where Valkey is; Redis is as good. */
export interface ValkeyAddress {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  /** The number of the database. */
  readonly db: number
  readonly tls: boolean
  /** Certificates (PEM) that are trusted in place of the public authorities'. */
  readonly ca?: string
}

export const tlsWords: TlsWords = { authority: 'cacert', clear: 'valkey:// or redis://' }

const form =
  'must look like valkey://user:password@host:6379/0, or valkeys:// for TLS (redis:// and rediss:// likewise)'
const databaseForm = /^\/?$|^\/(\d{1,4})$/

/**
 * `VALKEY_URL`: `valkey://` or `redis://`, with an s for TLS; port 6379, database 0; `?cacert=ca.pem` is read.
 * @throws Error in plain words that quote nothing of it but that file's path
 */
export function parseValkeyUrl(text: string): ValkeyAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^(?:valkey|redis)s?:$/.test(url.protocol) || url.hostname === '') throw new Error(form)
  const tls = url.protocol === 'valkeys:' || url.protocol === 'rediss:'
  const cacert = url.searchParams.get('cacert')
  if (url.search !== '' && (cacert === null || url.searchParams.size > 1))
    throw new Error('has something behind a ? that is not cacert=<file>')
  if (cacert !== null && !tls) throw new Error('has a cacert, but is without TLS: valkeys:// or rediss:// are with it')
  const database = url.hash === '' ? databaseForm.exec(url.pathname) : null
  if (database === null) throw new Error(`${form}; # / ? @ : and % of a password are written %23 %2F %3F %40 %3A %25`)
  if (url.username !== '' && url.password === '')
    throw new Error('names a user but no password: valkey://:password@host')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.username !== '' && { username: decoded(url.username) }),
    ...(url.password !== '' && { password: decoded(url.password) }),
    db: Number(database[1] ?? 0),
    tls,
    ...(cacert !== null && { ca: readAuthority('cacert', cacert) }),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('has a % in its user or password that is not an escape: write it as %25')
  }
}
