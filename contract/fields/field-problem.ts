import {
  type Expected,
  INVALID_DATE,
  INVALID_STRING,
  REQUIRED,
  RULE_NOT_MET,
  tooShort,
  typeMismatch,
} from './messages.ts'
import { ownValue } from './profile-values.ts'

/** The rule that a value violates, with the rule's parameters; sent in `error.details`. A closed set. */
export type FieldDetail =
  | { readonly rule: 'type'; readonly expected: Expected }
  /** NUL, or a lone surrogate. */
  | { readonly rule: 'characters' }
  /** Not a value of this field type at all, such as a text that is not an e-mail address. */
  | { readonly rule: 'format'; readonly format: string }
  | { readonly rule: 'minLength'; readonly minLength: number }
  | { readonly rule: 'maxLength'; readonly maxLength: number; readonly part?: string }
  | { readonly rule: 'itemMinLength'; readonly itemMinLength: number }
  | { readonly rule: 'itemMaxLength'; readonly itemMaxLength: number }
  | { readonly rule: 'minItems'; readonly minItems: number }
  | { readonly rule: 'maxItems'; readonly maxItems: number }
  | { readonly rule: 'uniqueItems' }
  | { readonly rule: 'items'; readonly items: string }
  | { readonly rule: 'pattern' }
  | { readonly rule: 'min'; readonly min: number | string }
  | { readonly rule: 'max'; readonly max: number | string }
  | { readonly rule: 'step'; readonly step: number }
  | { readonly rule: 'minAge'; readonly minAge: number }
  | { readonly rule: 'maxAge'; readonly maxAge: number }
  | { readonly rule: 'domains'; readonly domains: readonly string[] }
  | { readonly rule: 'countries'; readonly countries: readonly string[] }
  | { readonly rule: 'in'; readonly in: readonly string[] }
  | { readonly rule: 'options'; readonly options: readonly string[] }
  | { readonly rule: 'requiredParts'; readonly parts: readonly string[] }
  | { readonly rule: 'mustBeTrue' }
  | { readonly rule: 'version'; readonly version: string }
  /** A value is missing: `required` of the field or of a form. */
  | { readonly rule: 'required' }
  | { readonly rule: 'requiredWhen' }
  | { readonly rule: 'writeOnce' }
  | { readonly rule: 'lockedWhen' }
  /** The change would hide, and so clear, a field that clients cannot write. */
  | { readonly rule: 'writable' }
  /** Another user has the value. */
  | { readonly rule: 'unique' }

/** Why a value is refused: the contract's message, and the rule behind it. */
export interface FieldProblem {
  readonly message: string
  readonly detail: FieldDetail
}

/** A violation of a rule that has no own message. */
export const notMet = (detail: FieldDetail): FieldProblem => ({ message: RULE_NOT_MET, detail })

/** A required field that an update does not name, or clears. */
export function missingIn(update: Readonly<Record<string, unknown>>, name: string): FieldProblem {
  const detail = { rule: 'required' } as const
  return ownValue(update, name) === undefined ? { message: REQUIRED, detail } : notMet(detail)
}

/** The value is not of the field's JSON type. */
export const wrongType = (expected: Expected, value: unknown): FieldProblem => ({
  message: typeMismatch(expected, value),
  detail: { rule: 'type', expected },
})

export const wrongCharacters: FieldProblem = { message: INVALID_STRING, detail: { rule: 'characters' } }

/** Not ISO 8601, or not a day of the calendar. */
export const wrongDate = (format: string): FieldProblem => ({
  message: INVALID_DATE,
  detail: { rule: 'format', format },
})

export const belowLength = (minLength: number): FieldProblem => ({
  message: tooShort(minLength),
  detail: { rule: 'minLength', minLength },
})
