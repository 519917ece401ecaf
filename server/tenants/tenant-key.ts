import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isUlid, randomText, ulid } from '../core/ids.ts'
import { sameText } from '../secrets/random-code.ts'

/** `publishable` may be part of an app; `secret` stays on the tenant's server. */
export type TenantKeyKind = 'publishable' | 'secret'

/** A new key. `text` is shown once; only `secretHash` (SHA-256, 64 hex characters) of the secret is stored. */
export interface IssuedTenantKey {
  id: string
  text: string
  secretHash: string
}

/** The parts of a well-formed key: its id (a ULID), and the secret to compare with the stored hash. */
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
 * Creates a tenant key, `tk_<pub|sec>_<ULID>_<secret>_<checksum>`: 84 characters that secret scanners recognise. The
 * secret is 43 independent base62 characters, 256 bits; the checksum covers everything before it.
 * @param now epoch milliseconds, the time of the ULID
 */
export function issueTenantKey(kind: TenantKeyKind, now: number): IssuedTenantKey {
  const id = ulid(now)
  const secret = randomText(BASE62, SECRET_LENGTH)
  const checked = `tk_${kind === 'secret' ? 'sec' : 'pub'}_${id}_${secret}`
  return { id, text: `${checked}_${checksum(checked)}`, secretHash: hashSecret(secret) }
}

/**
 * Parses the value of a header; null for anything malformed, of any type; never throws. The checksum is checked first,
 * so that random guesses and typos cost neither parsing nor a look-up.
 */
export function parseTenantKey(text: unknown): ParsedTenantKey | null {
  if (typeof text !== 'string' || text.length !== KEY_LENGTH) return null
  if (checksum(text.slice(0, CHECKED_LENGTH)) !== text.slice(CHECKED_LENGTH + 1)) return null
  // A checksum is not a secret: anyone can compute one, so the format is checked too.
  const [prefix, kindText, id = '', secret = '', rest, more] = text.split('_')
  if (prefix !== 'tk' || rest === undefined || more !== undefined) return null
  if ((kindText !== 'pub' && kindText !== 'sec') || !isUlid(id) || !SECRET.test(secret)) return null
  return { id, kind: kindText === 'sec' ? 'secret' : 'publishable', secret }
}

/** Whether the stored hash is the SHA-256 of `secret`, in constant time (CWE-208). A malformed hash matches nothing. */
export function matchesSecret(secret: string, storedHash: string): boolean {
  return sameText(hashSecret(secret), storedHash)
}
