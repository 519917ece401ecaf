import type { JsonValue } from '../../../../contract/fields/field-type.ts'
import { isSameValue } from '../../../../contract/fields/profile-values.ts'
import type { Profile, ProfileSchema } from '../generated/types.ts'
import type { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'
import { entriesWhere, own } from './records.ts'
import type { Refusals, ShownForm } from './shown-form.ts'

/** What one submission needs from the component. */
export interface Submission {
  readonly form?: string | undefined
  readonly validate?: typeof validateProfile | undefined
  readonly onSaved?: ((profile: Profile) => void) | undefined
  /** Sends the values of a new profile. */
  readonly send?: ((values: Record<string, unknown>) => Promise<unknown>) | undefined
}

/**
 * What is wrong before anything is sent: by `validate`, and required fields that would stay empty. What concerns fields that
 * are not shown is left to the service, whose refusal then becomes the error of the form.
 */
export function refusalsOf(
  schema: ProfileSchema,
  { validate }: Submission,
  stored: Readonly<Record<string, unknown>> | null,
  shown: ShownForm,
): Refusals {
  const details: Record<string, FieldDetail> = {}
  const errors = { ...validate?.(schema, shown.entered, { current: stored, details }) }
  for (const name of shown.asked) {
    if (isSame(own(shown.values, name), null)) {
      errors[name] = 'Required'
      details[name] = { rule: 'required' }
    }
  }
  return refusalsAbout(shown.fields, { errors, details })
}

/** The refusals of some fields. */
export const refusalsAbout = (names: readonly string[], { errors, details }: Refusals): Refusals => ({
  errors: only(errors, names),
  details: only(details, names),
})

/** The service's messages by field. An error that is also about something else is kept whole beside them. */
export function failureOf(error: Error, shown: ShownForm): Refusals & { readonly error: Error | undefined } {
  const { validation = {}, details = {} } = error as {
    validation?: Record<string, string>
    details?: Record<string, FieldDetail>
  }
  const errors = only(byField(validation), shown.fields)
  const count = Object.keys(validation).length
  const isAboutFields = count > 0 && count === Object.keys(errors).length
  return { errors, details: only(byField(details), shown.fields), error: isAboutFields ? undefined : error }
}

/** Operations that take the profile as a part name its fields `profile.x`. */
const byField = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([path, value]) => [path.replace(/^profile\./, ''), value]))

const only = <T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  entriesWhere(record, (name) => names.includes(name))

/** Null and undefined both mean: no value. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isSameValue((one ?? null) as JsonValue, (other ?? null) as JsonValue)

export const without = <T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  entriesWhere(record, (key) => key !== name)
