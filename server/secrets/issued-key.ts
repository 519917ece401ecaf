import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isUlid, randomText } from '../core/ids.ts'
import { sameText } from './random-code.ts'

/** A new key. `text` is shown once; only `secretHash` (SHA-256, 64 hex characters) of the secret is stored. */
export interface IssuedKey {
  readonly id: string
  readonly text: string
  readonly secretHash: string
}

/** The parts of a well-formed key: its id (a ULID), and the secret to compare with the stored hash. */
export interface ParsedKey<Prefix extends string> {
  readonly id: string
  readonly prefix: Prefix
  readonly secret: string
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 26
const SECRET_LENGTH = 43 // 62^43 > 2^256
const CHECKSUM_LENGTH = 6 // 62^6 > 2^32
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

/** 43 independent base62 characters, 256 bits. */
export const newSecret = (): string => randomText(BASE62, SECRET_LENGTH)
export const isSecret = (text: string): boolean => SECRET.test(text)
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

/**
 * Keys of the form `<prefix>_<ULID>_<secret>_<checksum>`, which secret scanners recognise. The secret is 43 independent
 * base62 characters, 256 bits; the checksum covers everything before it. All prefixes have the same length.
 */
export class KeyFormat<Prefix extends string> {
  readonly #prefixes: readonly Prefix[]
  readonly #checkedLength: number

  constructor(...prefixes: [Prefix, ...Prefix[]]) {
    this.#prefixes = prefixes
    this.#checkedLength = prefixes[0].length + 1 + ID_LENGTH + 1 + SECRET_LENGTH
  }

  issue(prefix: Prefix, id: string): IssuedKey {
    const secret = newSecret()
    const checked = `${prefix}_${id}_${secret}`
    return { id, text: `${checked}_${checksum(checked)}`, secretHash: hashSecret(secret) }
  }

  /**
   * Parses the value of a header; null for anything malformed, of any type; never throws. The checksum is checked first,
   * so that random guesses and typos cost neither parsing nor a look-up.
   */
  parse(text: unknown): ParsedKey<Prefix> | null {
    const checkedLength = this.#checkedLength
    if (typeof text !== 'string' || text.length !== checkedLength + 1 + CHECKSUM_LENGTH) return null
    if (checksum(text.slice(0, checkedLength)) !== text.slice(checkedLength + 1)) return null
    // A checksum is not a secret: anyone can compute one, so the format is checked too.
    const prefix = this.#prefixes.find((known) => text.startsWith(`${known}_`))
    if (prefix === undefined) return null
    const [id = '', secret = '', ...more] = text.slice(prefix.length + 1, checkedLength).split('_')
    if (text[checkedLength] !== '_' || more.length > 0 || !isUlid(id) || !isSecret(secret)) return null
    return { id, prefix, secret }
  }
}

/** Whether the stored hash is the SHA-256 of `secret`, in constant time (CWE-208). A malformed hash matches nothing. */
export function matchesSecret(secret: string, storedHash: string): boolean {
  return sameText(hashSecret(secret), storedHash)
}
