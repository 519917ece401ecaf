import { fileURLToPath } from 'node:url'
import { isLoopback } from './loopback.ts'

/**
 * The URL that heads of event logs are anchored at. Its path may be a secret, so no error quotes it.
 * @throws Error with what is wrong
 */
export function anchorUrl(given: string | undefined, allowsLoopback: boolean): string | null {
  if (given === undefined) return null
  if (!URL.canParse(given) || /\s/.test(given)) throw new Error(`must be ${forms}`)
  const { protocol, hostname, host, username, password, hash, pathname } = new URL(given)
  if (protocol === 'file:') {
    // A URL parser takes file:heads for /heads.
    if (!/^file:\//i.test(given) || host !== '' || pathname.endsWith('/'))
      throw new Error('must name a file on this machine by its full path: file:/mnt/worm/heads')
    if (/[?#]/.test(given) || !isPath(given))
      throw new Error('names a file with an invalid character; write ? # % as %3F %23 %25')
    return given
  }
  if (username !== '' || password !== '') throw new Error('must not contain a user name or password')
  if (hash !== '') throw new Error('must not contain a fragment (#…)')
  if (protocol === 'https:') return given
  if (protocol !== 'http:') throw new Error(`must be ${forms}`)
  if (allowsLoopback && isLoopback(hostname)) return given
  throw new Error('must begin with https://; http:// is allowed in development, on this machine only')
}

const forms = 'a URL such as https://audit.example.com/heads, or file:/mnt/worm/heads'

function isPath(url: string): boolean {
  try {
    return !fileURLToPath(url).includes('\0')
  } catch {
    return false
  }
}
