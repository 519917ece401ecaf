import { randomInt, timingSafeEqual } from 'node:crypto'

/** `randomInt` reaches just below 2^48: fourteen digits are the most one draw can give. */
const LONGEST_CODE = 14

/**
 * A code of `length` decimal digits (1 to 14, RangeError otherwise), every one of the 10^length codes equally likely,
 * leading zeros kept (threat C13). `randomInt` rejects instead of taking a remainder, so there is no modulo bias.
 */
export function drawCode(length: number): string {
  if (!Number.isInteger(length) || length < 1 || length > LONGEST_CODE) {
    throw new RangeError(`A code has 1 to ${LONGEST_CODE} digits, not ${length}`)
  }
  return randomInt(10 ** length)
    .toString()
    .padStart(length, '0')
}

/**
 * Whether two secrets are the same text, in a time that depends on their length alone (CWE-208). Texts of different
 * lengths are not the same. Compared as UTF-16: in UTF-8 all lone surrogates would become one replacement character.
 */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  return timingSafeEqual(Buffer.from(a, 'utf16le'), Buffer.from(b, 'utf16le'))
}
