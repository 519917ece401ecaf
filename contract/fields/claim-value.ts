import { type FieldProblem, notMet } from './field-problem.ts'
import type { FieldCheck } from './field-type.ts'
import type { JsonValue } from './json-value.ts'

/**
 * The bytes of a claim, at most: each request carries the token. Counted as JSON without quotes, because what JSON escapes
 * makes the token longer too.
 */
export const MAX_CLAIM_BYTES = 256
/** A control character takes six bytes. */
const MAX_BYTES_PER_UNIT = 6

const tooLong: FieldProblem = notMet({ rule: 'maxLength', maxLength: MAX_CLAIM_BYTES })

/** The check of a field that is a claim of access tokens. */
export function checkClaim(check: FieldCheck): FieldCheck {
  return (value, now) => check(value, now) ?? (fitsClaim(value) ? null : tooLong)
}

/** Whether an access token may contain every text of this length. */
export const fitsClaimAlways = (length: number): boolean => length * MAX_BYTES_PER_UNIT <= MAX_CLAIM_BYTES

/** Whether an access token may contain the value. */
export const fitsClaim = (value: JsonValue): boolean =>
  typeof value !== 'string' || new TextEncoder().encode(JSON.stringify(value)).length - 2 <= MAX_CLAIM_BYTES
