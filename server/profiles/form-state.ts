import { type FormState, formStateOf } from '../../contract/fields/forms/form-state.ts'
import type { ProfileForm } from '../../contract/profile-schema.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { failingFields } from './compare-profile-schemas.ts'
import { compiledSchemaOf } from './compiled-profile-schemas.ts'
import { migrated } from './read-profile.ts'

/** What the state of a form reads of an account; times in epoch milliseconds. */
export interface FormUser {
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
  const values = schema.present(stored === null ? {} : (await migrated(stored, snapshot, stores)).values, 'operator')
  return formStateOf(form, {
    values,
    refused: failingFields(schema, values, now),
    verified: { email: user.emailVerifiedAt !== null, phone: user.phoneVerifiedAt !== null },
  })
}
