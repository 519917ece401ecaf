import {
  type CompiledFields,
  compileFields,
  invalidFields,
  type JudgedUpdate,
} from '../../../contract/fields/compile-fields.ts'
import type { FieldComponent } from '../../../contract/fields/field-component.ts'
import type { FieldEngines, ProfileValues } from '../../../contract/fields/field-type.ts'
import { limitToStep, stepsOf } from '../../../contract/fields/forms/form-steps.ts'
import { REQUIRED } from '../../../contract/fields/messages.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { ProfileSchema } from './generated/types.ts'
import { unconditional } from './profile/decided-conditions.ts'
import { knownComponents } from './profile/known-components.ts'
import { nativeMatcher } from './profile/native-pattern.ts'
import type { FieldDetail } from './profile-types.ts'

export { countryCodes } from './profile/country-codes.ts'

/** The options of `validateProfile`. */
export interface ValidateProfileOptions {
  /** A form of the schema, such as `signUp`: its required fields must be present. */
  readonly form?: string
  /** A step of the form, whose fields are judged. Default: the only step of a form with `fields`, which is named `form`. */
  readonly step?: string
  /**
   * The profile that the values change; null: there is none yet. Conditions and required fields are judged with it; without
   * it and without a form, conditions are left to the service.
   */
  readonly current?: Readonly<Record<string, unknown>> | null
  /** The time by which ages are computed, in epoch milliseconds. Default: the current time. */
  readonly now?: number
  /** Receives the violated rule of each invalid field, with its parameters. */
  readonly details?: Record<string, FieldDetail>
}

const accept = (): boolean => true

/**
 * Left to the server: patterns that the native RegExp cannot decide safely, numbering plans, and the names of currencies and
 * time zones, which platforms do not agree on.
 */
const engines: FieldEngines = {
  compilePattern: (pattern) => nativeMatcher(pattern) ?? accept,
  compilePhone: () => accept,
  isCurrency: accept,
  isTimeZone: accept,
}

interface CompiledSchema {
  readonly known: readonly FieldComponent[]
  /** With and without conditions. */
  readonly whole: CompiledFields
  readonly plain: CompiledFields
}

/** One object per fetched schema, so that a form can validate with each key press. */
const compiled = new WeakMap<ProfileSchema, CompiledSchema>()

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
  options: ValidateProfileOptions = {},
): Record<string, string> {
  const judged = judge(schema, values, options)
  if (!('validation' in judged)) return {}
  Object.assign(options.details ?? {}, judged.details)
  return judged.validation
}

function judge(
  schema: ProfileSchema,
  values: Readonly<Record<string, unknown>>,
  { form, step = 'form', current, now = Date.now() }: ValidateProfileOptions,
): JudgedUpdate {
  const { known, whole, plain } = compiled.get(schema) ?? compile(schema)
  const by = { now, operator: false, current: (current ?? null) as ProfileValues | null }
  if (form === undefined) return (current === undefined ? plain : whole).validate(values, by)
  if (step === 'form' && !current) return whole.validateForm(form, values, by)
  const found = stepsOf(ownValue(schema.forms, form) ?? {}).find((one) => one.step === step) ?? { step }
  const judged = whole.judge(limitToStep(values, found), by)
  const after = { ...by.current, ...judged.values }
  // The service decides about the fields of other steps.
  const problems = new Map([...judged.problems].filter(([name]) => found.fields?.includes(name)))
  for (const { name, readable } of known) {
    const isAsked = found.required?.includes(name) && !judged.hidden.has(name) && !problems.has(name)
    // Of a field that is not readable, the user cannot see whether a value is stored.
    if (isAsked && readable !== false && ownValue(after, name) == null) {
      problems.set(name, { message: REQUIRED, detail: { rule: 'required' } })
    }
  }
  return invalidFields(problems) ?? judged
}

function compile(schema: ProfileSchema): CompiledSchema {
  const known = knownComponents(schema)
  const schemas = {
    known,
    whole: compileFields(known, schema.forms, engines),
    plain: compileFields(known.map(unconditional), {}, engines),
  }
  compiled.set(schema, schemas)
  return schemas
}
