import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isUlid, randomText, ulid } from '../core/ids.ts'
import { sameText } from '../secrets/random-code.ts'

/** `publishable` may ship inside an app; `secret` stays on the tenant's server (design 3). */
export type TenantKeyKind = 'publishable' | 'secret'

/** A key just made. `text` is shown once; of the secret only `secretHash` (SHA-256, 64 hex characters) is stored. */
export interface IssuedTenantKey {
  id: string
  text: string
  secretHash: string
}

/** What a well-formed key says: its id (a ULID) to look up, and the secret to hold against the stored hash. */
export interface ParsedTenantKey {
  id: string
  kind: TenantKeyKind
  secret: string
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43 // 62^43 > 2^256
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32
const CHECKED_LENGTH = 'tk_pub_'.length + 26 + 1 + SECRET_LENGTH
const KEY_LENGTH = CHECKED_LENGTH + 1 + CHECKSUM_LENGTH
const SECRET = /^[0-9A-Za-z]{43}$/

/** CRC-32 of `text` as six base62 digits, most significant first. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

/**
 * Makes a tenant key, `tk_<pub|sec>_<ULID>_<secret>_<checksum>` (design 3): 84 characters that secret scanners
 * recognise. The secret is 43 independent base62 characters, 256 bits; the checksum covers all that precedes it.
 *
 * @param now epoch milliseconds, the ULID's time
 */
export function issueTenantKey(kind: TenantKeyKind, now: number): IssuedTenantKey {
  const id = ulid(now)
  const secret = randomText(BASE62, SECRET_LENGTH)
  const checked = `tk_${kind === 'secret' ? 'sec' : 'pub'}_${id}_${secret}`
  return { id, text: `${checked}_${checksum(checked)}`, secretHash: hashSecret(secret) }
}

/**
 * Reads a tenant key as it came in a header. Null for anything malformed, whatever its type; never throws. The
 * checksum comes first, so random guesses and typing errors cost neither parsing nor a look-up (design 3).
 */
export function parseTenantKey(text: unknown): ParsedTenantKey | null {
  if (typeof text !== 'string' || text.length !== KEY_LENGTH) return null
  if (checksum(text.slice(0, CHECKED_LENGTH)) !== text.slice(CHECKED_LENGTH + 1)) return null
  // A checksum is no secret: anybody can compute one, so the form is judged all the same.
  const [prefix, kindText, id = '', secret = '', rest, more] = text.split('_')
  if (prefix !== 'tk' || rest === undefined || more !== undefined) return null
  if ((kindText !== 'pub' && kindText !== 'sec') || !isUlid(id) || !SECRET.test(secret)) return null
  return { id, kind: kindText === 'sec' ? 'secret' : 'publishable', secret }
}

/** Whether `secret` is the one whose SHA-256 was stored, in constant time (CWE-208). A malformed hash matches nothing. */
export function matchesSecret(secret: string, storedHash: string): boolean {
  return sameText(hashSecret(secret), storedHash)
}
