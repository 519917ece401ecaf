import { codePoints } from '../../contract/text.ts'

/**
 * Lengths in Unicode code points, without building an array of them. A text of n UTF-16 units has between n/2 and n code
 * points, so most questions are answered without looking at the text. Texts are well-formed: `isSoundText` comes first.
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
