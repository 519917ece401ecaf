/** A surrogate outside of a pair. React Native has no `isWellFormed`. */
const LONE_SURROGATE = /\p{Cs}/u

/** Whether every database can store the string unchanged: no NUL, no lone surrogate. */
export const isSoundText = (value: string): boolean => !LONE_SURROGATE.test(value) && !value.includes('\0')

/** Length in Unicode code points, the unit of every length rule (NIST SP 800-63B 3.1.1.2). */
export function codePoints(value: string): number {
  let count = value.length
  for (let i = 0; i < value.length - 1; i++) {
    const unit = value.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdbff) count--
  }
  return count
}

/**
 * True when the text has fewer than `limit` code points. A text of n UTF-16 units has n/2 to n code points, so most
 * comparisons need not read the text. It must be well-formed: check `isSoundText` first.
 */
export function isShorterThan(text: string, limit: number): boolean {
  if (text.length < limit) return true
  if (text.length >= limit * 2) return false
  return codePoints(text) < limit
}

/** True when the text has more than `limit` code points; it must be well-formed. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  if (text.length > limit * 2) return true
  return codePoints(text) > limit
}
