import { type CompiledFields, compileFields } from '../../../contract/fields/compile-fields.ts'
import type { FieldEngines } from '../../../contract/fields/field-type.ts'
import { fieldTypes } from '../../../contract/fields/field-types.ts'
import type { ProfileSchema } from './generated/types.ts'
import { nativeMatcher } from './profile/native-pattern.ts'

/** The options of `validateProfile`. */
export interface ValidateProfileOptions {
  /** A form of the schema, such as `signUp`: its required fields must be present. */
  readonly form?: string
  /** The time by which ages are computed, in epoch milliseconds. Default: the current time. */
  readonly now?: number
}

const accept = (): boolean => true

/** A pattern that the native RegExp cannot decide safely, and numbering plans, are left to the server. */
const engines: FieldEngines = {
  compilePattern: (pattern) => nativeMatcher(pattern) ?? accept,
  compilePhone: () => accept,
}

/** One object per fetched schema, so that a form can validate with each key press. */
const compiled = new WeakMap<ProfileSchema, CompiledFields>()

/**
 * The service's message for each invalid field; empty if all are valid. Runs the service's own checks, except for patterns
 * that could be slow in a browser, numbering plans of phone numbers, and field types that this version does not know: the
 * service decides those.
 *
 * @param values the fields to send, as for `updateProfile`
 */
export function validateProfile(
  schema: ProfileSchema,
  values: Readonly<Record<string, unknown>>,
  { form, now = Date.now() }: ValidateProfileOptions = {},
): Record<string, string> {
  const fields = compiled.get(schema) ?? compile(schema)
  const judged =
    form === undefined
      ? fields.validate(values, { now, operator: false, current: null })
      : fields.validateForm(form, values, { now })
  return 'validation' in judged ? judged.validation : {}
}

function compile(schema: ProfileSchema): CompiledFields {
  const known = schema.components.filter(({ type }) => Object.hasOwn(fieldTypes, type))
  const fields = compileFields(known, schema.forms, engines)
  compiled.set(schema, fields)
  return fields
}
