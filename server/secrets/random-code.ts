import { randomInt, timingSafeEqual } from 'node:crypto'

/** `randomInt` is limited to 2^48, which is enough for fourteen digits. */
const LONGEST_CODE = 14

/**
 * A code of `length` decimal digits (1 to 14, RangeError otherwise), uniform over all 10^length codes, with leading zeros
 * (threat C13). `randomInt` uses rejection sampling, so there is no modulo bias.
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
 * Whether two secrets are equal, in a time that depends on their length only (CWE-208). Compared as UTF-16: in UTF-8 all
 * lone surrogates would become one replacement character.
 */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  return timingSafeEqual(Buffer.from(a, 'utf16le'), Buffer.from(b, 'utf16le'))
}
