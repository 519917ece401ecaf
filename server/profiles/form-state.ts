import { changeableFields } from '../../contract/fields/changeable.ts'
import type { ProfileValues } from '../../contract/fields/field-type.ts'
import { type FormState, formStateOf } from '../../contract/fields/forms/form-state.ts'
import type { ProfileForm } from '../../contract/profile-schema.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { migrated } from './read-profile.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/** What the state of a form reads of an account; times in epoch milliseconds. */
interface FormUser {
  readonly id: string
  readonly emailVerifiedAt: number | null
  readonly phoneVerifiedAt: number | null
}

/** The state of a form for a user, with one read of the profile. */
export async function readFormState(
  form: ProfileForm,
  user: FormUser,
  snapshot: TenantSnapshot,
  stores: Stores,
  now: number,
): Promise<FormState> {
  const stored = await stores.profiles.find(user.id)
  const schema = compiledSchemaOf(snapshot)
  const { values: raw = {}, unprovenFields } = (stored && (await migrated(stored, snapshot, stores))) ?? {}
  const values = schema.present(raw, 'operator')
  return formStateOf(form, {
    values,
    hidden: schema.hidden(raw),
    refused: refusedFields(schema, values, now, unprovenFields),
    asked: schema.asked(raw),
    verified: { email: user.emailVerifiedAt !== null, phone: user.phoneVerifiedAt !== null },
  })
}

/**
 * The fields with a stored value that the schema would refuse if the user sent it back. Those that the user cannot change are
 * left out, or their form would never be complete.
 *
 * @param values as the schema presents them to the operator
 * @param unproven fields that `writeOnce` does not bind
 */
export function refusedFields(
  schema: CompiledProfileSchema,
  values: ProfileValues,
  now: number,
  unproven?: readonly string[],
): string[] {
  const judged = schema.validate(values, { now, operator: false, current: values, unproven })
  if (!('validation' in judged)) return []
  return changeableFields(schema.schema.components, values, unproven).filter(
    (name) => Object.hasOwn(judged.validation, name) && values[name] !== null,
  )
}
