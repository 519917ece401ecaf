import { entriesWhere, ownValue } from '../../../../contract/fields/profile-values.ts'
import type { Profile, ProfileSchema } from '../generated/types.ts'
import type { validateProfile } from '../profile.ts'
import type { FieldDetail } from '../profile-types.ts'
import { type Refusals, refusalsAbout, refusalsBy } from './refusals.ts'
import type { ShownForm } from './shown-form.ts'

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
  const { errors, details } = refusalsBy(validate, schema, shown.entered, stored)
  for (const name of shown.asked) {
    if (ownValue(shown.values, name) == null) {
      errors[name] = 'Required'
      details[name] = { rule: 'required' }
    }
  }
  return refusalsAbout(shown.fields, { errors, details })
}

/**
 * The service's messages by field. An error that is also about something else is kept whole beside them. A message without
 * details is not about a field: the account, the query and the body have members of the same names.
 */
export function failureOf(error: Error, shown: ShownForm): Refusals & { readonly error: Error | undefined } {
  const { validation = {}, details = {} } = error as {
    validation?: Record<string, string>
    details?: Record<string, FieldDetail>
  }
  const errors = entriesWhere(validation, (path) => Object.hasOwn(details, path))
  const refusals = refusalsAbout(shown.fields, { errors: byField(errors), details: byField(details) })
  const count = Object.keys(validation).length
  const isAboutFields = count > 0 && count === Object.keys(refusals.errors).length
  return { ...refusals, error: isAboutFields ? undefined : error }
}

/** Operations that take the profile as a part name its fields `profile.x`. */
const byField = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([path, value]) => [path.replace(/^profile\./, ''), value]))

export const without = <T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  entriesWhere(record, (key) => key !== name)
