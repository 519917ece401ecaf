import { type FieldProblem, notMet } from './field-problem.ts'
import type { FieldCheck } from './field-type.ts'

/** The UTF-8 bytes of a claim, at most: each request carries the token. */
export const MAX_CLAIM_BYTES = 256

const tooLong: FieldProblem = notMet({ rule: 'maxLength', maxLength: MAX_CLAIM_BYTES })

/** The check of a field that is a claim of access tokens. */
export function checkClaim(check: FieldCheck): FieldCheck {
  return (value, now) => check(value, now) ?? (typeof value === 'string' && isTooLong(value) ? tooLong : null)
}

function isTooLong(text: string): boolean {
  // A UTF-16 unit takes one to three bytes.
  if (text.length > MAX_CLAIM_BYTES) return true
  return text.length * 3 > MAX_CLAIM_BYTES && utf8Bytes(text) > MAX_CLAIM_BYTES
}

/** The text must be well-formed. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // Each half of a surrogate pair counts for two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}
