import { type CompiledFields, compileFields, type InvalidFields } from '../../../contract/fields/compile-fields.ts'
import type { FieldEngines, ProfileValues } from '../../../contract/fields/field-type.ts'
import { limitToStep, stepsOf } from '../../../contract/fields/forms/form-steps.ts'
import { REQUIRED } from '../../../contract/fields/messages.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import type { ProfileSchema } from './generated/types.ts'
import { knownComponents, unconditional } from './profile/known-components.ts'
import { nativeMatcher } from './profile/native-pattern.ts'
import type { FieldDetail } from './profile-types.ts'

/** The options of `validateProfile`. */
export interface ValidateProfileOptions {
  /** A form of the schema, such as `signUp`: its required fields must be present. */
  readonly form?: string
  /** A step of the form: only its fields are judged, and only those that it requires must be present. */
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
  const { validation, details } = judge(schema, values, options)
  Object.assign(options.details ?? {}, details)
  return validation
}

const none = (): InvalidFields => ({ validation: {}, details: {} })

function judge(
  schema: ProfileSchema,
  values: Readonly<Record<string, unknown>>,
  { form, step, current, now = Date.now() }: ValidateProfileOptions,
): InvalidFields {
  const { whole, plain } = compiled.get(schema) ?? compile(schema)
  if (form !== undefined && step === undefined && !current) {
    const judged = whole.validateForm(form, values, { now })
    return 'validation' in judged ? judged : none()
  }
  const steps = stepsOf((form !== undefined && ownValue(schema.forms, form)) || {})
  const limits = steps.filter((one) => step === undefined || one.step === step)
  const update = form === undefined ? values : limitToStep(values, { step: '', fields: limits.flatMap(fieldsOf) })
  const fields = current === undefined && form === undefined ? plain : whole
  const stored = (current ?? null) as ProfileValues | null
  const judged = fields.validate(update, { now, operator: false, current: stored })
  const invalid = 'validation' in judged ? judged : none()
  const merged = { ...stored, ...('values' in judged ? judged.values : (update as ProfileValues)) }
  const missing = limits
    .flatMap(({ required = [] }) => required)
    .filter((name) => isMissing(schema, fields, name, merged))
  return {
    validation: { ...Object.fromEntries(missing.map((name) => [name, REQUIRED])), ...invalid.validation },
    details: {
      ...Object.fromEntries(missing.map((name) => [name, { rule: 'required' } as const])),
      ...invalid.details,
    },
  }
}

const fieldsOf = ({ fields = [] }: { readonly fields?: readonly string[] | undefined }): readonly string[] => fields

/** Whether a required field exists, and has no value. The user cannot see the values of fields that are not readable. */
function isMissing(schema: ProfileSchema, fields: CompiledFields, name: string, values: ProfileValues): boolean {
  const component = schema.components.find((one) => one.name === name)
  return component?.readable !== false && !fields.hidden(values).has(name) && (ownValue(values, name) ?? null) === null
}

function compile(schema: ProfileSchema): CompiledSchema {
  const components = knownComponents(schema)
  const schemas = {
    whole: compileFields(components, schema.forms, engines),
    plain: compileFields(components.map(unconditional), {}, engines),
  }
  compiled.set(schema, schemas)
  return schemas
}
