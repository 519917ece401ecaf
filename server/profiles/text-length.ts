import { codePoints } from '../../contract/text.ts'

/**
 * Lengths in Unicode code points. A text of n UTF-16 units has n/2 to n code points, so most comparisons need not read the
 * text. Texts must be well-formed: check `isSoundText` first.
 */

/** True when the text has fewer than `limit` code points. */
export function isShorterThan(text: string, limit: number): boolean {
  if (text.length < limit) return true
  if (text.length >= limit * 2) return false
  return codePoints(text) < limit
}

/** True when the text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  if (text.length > limit * 2) return true
  return codePoints(text) > limit
}
