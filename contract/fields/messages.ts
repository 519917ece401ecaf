/** The messages of `error.validation` for profile fields. Clients match them: do not change them. */

/** A field that the form requires is missing. */
export const REQUIRED = 'Required'
/** Rules without a specific message. */
export const RULE_NOT_MET = 'Validation rule not met'
/** Not ISO 8601, or not a day of the calendar. */
export const INVALID_DATE = 'Invalid date format'
/** A consent of an import was given later than now. */
export const FUTURE_TIME = 'Time must not be in the future'
/** NUL, which PostgreSQL rejects (threat A13), or a lone surrogate, which SQLite rewrites (threat A14). */
export const INVALID_STRING = 'Invalid string'

/** The JSON type of a field. */
export type Expected = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

/** `Expected array, received string`. For an integer field, a number with a fraction is a `float`. */
export function typeMismatch(expected: Expected, value: unknown): string {
  const received = typeName(value)
  return `Expected ${expected}, received ${expected === 'integer' && received === 'number' ? 'float' : received}`
}

/** `String must contain at least 3 character(s)`; characters are Unicode code points. */
export function tooShort(minLength: number): string {
  return `String must contain at least ${minLength} character(s)`
}

/** The name of a JSON type in a message: string, number, boolean, null, array, object. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
