import {
  type CompiledFields,
  compileFields,
  invalidFields,
  type JudgedUpdate,
} from '../../../contract/fields/compile-fields.ts'
import { missingIn } from '../../../contract/fields/field-problem.ts'
import type { FieldEngines, ProfileValues } from '../../../contract/fields/field-type.ts'
import { missingOf } from '../../../contract/fields/forms/form-state.ts'
import { isStepVisible, limitToStep, stepsOf } from '../../../contract/fields/forms/form-steps.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { ProfileSchema } from './generated/types.ts'
import { askedBy, withConditions } from './profile/decided-conditions.ts'
import { type KnownComponents, knownComponents } from './profile/known-components.ts'
import { nativeMatcher } from './profile/native-pattern.ts'
import type { FieldDetail } from './profile-types.ts'

export { countryCodes } from './profile/country-codes.ts'

/** The options of `validateProfile`. */
export interface ValidateProfileOptions {
  /** A form of the schema, such as `signUp`: its required fields must be present. */
  readonly form?: string | undefined
  /**
   * A step of the form, whose fields are judged; required for a form with steps. Default: the only step of a form with
   * `fields`, which is named `form`. With a step that the form lacks, no field is judged.
   */
  readonly step?: string | undefined
  /**
   * The profile that the values change; null: there is none yet. Conditions and required fields are judged with it; without
   * it and without a form, conditions are left to the service.
   */
  readonly current?: Readonly<Record<string, unknown>> | null | undefined
  /** Judges what only the operator changes, too: fields that are not writable, write-once and locked ones. */
  readonly operator?: boolean | undefined
  /** The time by which ages are computed, in epoch milliseconds. Default: the current time. */
  readonly now?: number | undefined
  /** Receives the violated rule of each invalid field, with its parameters. */
  readonly details?: Record<string, FieldDetail> | undefined
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

/** With conditions, without them, and those of a new user: none of their values is stored, so the client knows all. */
type CompiledSchema = readonly [
  isDecided: KnownComponents['isDecided'],
  whole: CompiledFields,
  plain: CompiledFields,
  signUp: CompiledFields,
]

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
  { form, step = 'form', current, operator = false, now = Date.now() }: ValidateProfileOptions,
): JudgedUpdate {
  const [isDecided, whole, plain, signUp] = compiled.get(schema) ?? compile(schema)
  const by = { now, operator, current: (current ?? null) as ProfileValues | null }
  if (form === undefined) return (current === undefined ? plain : whole).validate(values, by)
  if (form === 'signUp' && step === 'form' && !current) return signUp.validateForm(form, values, by)
  const found = stepsOf(ownValue(schema.forms, form) ?? {}).find((one) => one.step === step) ?? { step }
  const { hidden, values: changed, problems } = whole.judge(limitToStep(values, found), by)
  // Hidden fields are null.
  const after = { ...by.current, ...changed }
  const read = (name: string) => ownValue(after, name) ?? null
  // The service decides about the fields of other steps.
  const own = new Map([...problems].filter(([name]) => found.fields?.includes(name)))
  const required = isStepVisible(found, read) ? askedBy(found, isDecided) : []
  for (const name of missingOf(required, { values: after, hidden }))
    if (!own.has(name)) own.set(name, missingIn(values, name))
  return invalidFields(own) ?? { values: changed }
}

function compile(schema: ProfileSchema): CompiledSchema {
  const { known, isDecided } = knownComponents(schema.components)
  const compileWith = (judged: KnownComponents['known']) => compileFields(judged, schema.forms, engines)
  const plain = known.map((component) => withConditions(component, () => false))
  const { known: signUp } = knownComponents(schema.components.map((component) => ({ ...component, readable: true })))
  const schemas = [isDecided, compileWith(known), compileWith(plain), compileWith(signUp)] as const
  compiled.set(schema, schemas)
  return schemas
}
