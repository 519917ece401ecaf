import { randomFillSync } from 'node:crypto'

/** Crockford's base 32: no I, L, O, U. Source: ULID specification. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const LATEST_TIME = 2 ** 48 - 1

/** All 1024 pairs of Crockford characters: one look-up turns ten bits into two characters. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => CROCKFORD.charAt(bits >> 5) + CROCKFORD.charAt(bits & 31))

// One system call for 16 KiB instead of one for each id: a ULID takes less than 1 µs instead of 40 µs.
const pool = Buffer.alloc(16 * 1024)
let used = pool.length

/** Index in the pool of `count` random bytes that are not used yet. */
function takeBytes(count: number): number {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const start = used
  used += count
  return start
}

let prefixTime = -1
let prefix = ''

/** The ten time characters of a ULID; cached, because they are the same for a whole millisecond. */
function timePrefix(now: number): string {
  if (now === prefixTime) return prefix
  if (!Number.isInteger(now) || now < 0 || now > LATEST_TIME) {
    throw new RangeError(`A ULID needs whole epoch milliseconds from 0 to 2^48 - 1, not ${now}`)
  }
  let text = ''
  for (let rest = now, pair = 0; pair < 5; pair++) {
    text = PAIRS[rest % 1024] + text
    rest = Math.floor(rest / 1024)
  }
  prefixTime = now
  prefix = text
  return text
}

/** Sorts before every ULID of this time and later, and after every earlier one. Times that no ULID has are rounded. */
export const earliestUlid = (time: number): string => timePrefix(Math.min(Math.max(Math.ceil(time), 0), LATEST_TIME))

/** Forty random bits as eight characters, from the five pool bytes at `at`. */
function eightCharacters(at: number): string {
  const [a, b, c, d, e] = [pool[at]!, pool[at + 1]!, pool[at + 2]!, pool[at + 3]!, pool[at + 4]!]
  return (
    PAIRS[(a << 2) | (b >> 6)]! +
    PAIRS[((b & 63) << 4) | (c >> 4)]! +
    PAIRS[((c & 15) << 6) | (d >> 2)]! +
    PAIRS[((d & 3) << 8) | e]!
  )
}

/**
 * A new identifier: 48 bits of `now` (whole epoch milliseconds, RangeError otherwise) and 80 bits of CSPRNG randomness
 * as 26 Crockford characters. Ids of one millisecond are not ordered, because an id must not be guessable from another
 * one (threat F17, ulid/spec#105).
 */
export function ulid(now: number): string {
  const at = takeBytes(10)
  return timePrefix(now) + eightCharacters(at) + eightCharacters(at + 5)
}

/** Whether `text` is a ULID in its canonical form: 26 upper-case Crockford characters, the first at most 7. */
export function isUlid(text: string): boolean {
  return ULID.test(text)
}

/** `count` CSPRNG bytes, at most 16 KiB, in base64url. Drawing them alone takes as long as encrypting a text. */
export function randomToken(count: number): string {
  const at = takeBytes(count)
  return pool.toString('base64url', at, at + count)
}

/**
 * `length` characters of `alphabet` (2 to 256 different ones), uniformly distributed: bytes that would favour the
 * beginning of the alphabet are discarded, so there is no modulo bias.
 */
export function randomText(alphabet: string, length: number): string {
  const size = alphabet.length
  const fair = 256 - (256 % size)
  let text = ''
  while (text.length < length) {
    const byte = pool[takeBytes(1)]!
    if (byte < fair) text += alphabet.charAt(byte % size)
  }
  return text
}
