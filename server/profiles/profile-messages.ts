import { typeName } from '../../contract/validation-messages.ts'

/** The messages of `error.validation` for profile fields, to the letter (contract 7, design 2). */

/** A field a form cannot do without was not sent. */
export const REQUIRED = 'Required'
/** Every rule that has no message of its own. */
export const RULE_NOT_MET = 'Validation rule not met'
/** Not ISO 8601, or no day of the calendar. */
export const INVALID_DATE = 'Invalid date format'
/** NUL, which PostgreSQL refuses, or a lone surrogate, which SQLite rewrites (threats A13, A14). */
export const INVALID_STRING = 'Invalid string'

/** What a field's JSON value has to be. */
export type Expected = 'string' | 'number' | 'integer' | 'boolean' | 'array'

/** `Expected array, received string`. Where an integer is wanted, a number with a fraction is called a `float`. */
export function typeMismatch(expected: Expected, value: unknown): string {
  const received = typeName(value)
  return `Expected ${expected}, received ${expected === 'integer' && received === 'number' ? 'float' : received}`
}

/** `String must contain at least 3 character(s)`; characters are Unicode code points. */
export function tooShort(minLength: number): string {
  return `String must contain at least ${minLength} character(s)`
}
