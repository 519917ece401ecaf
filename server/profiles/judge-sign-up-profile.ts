import type { TenantCall } from '../core/call.ts'
import type { Tx } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { addNewProfile } from './add-new-profile.ts'
import { invalidProfile } from './invalid-profile.ts'
import { requireProfileContent } from './profile-content.ts'
import { compiledSchemaOf } from './schema/compiled-profile-schemas.ts'

/**
 * Validates the profile of a sign-up by the schema and its `signUp` form; keys are `profile.<field>`.
 * @param maxBytes bytes of the stored profile, at most
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 * @returns stores the profile of the new user; does nothing when none was sent
 */
export function judgeSignUpProfile(
  profile: Readonly<Record<string, unknown>> | undefined,
  snapshot: TenantSnapshot,
  call: TenantCall<'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE'>,
  maxBytes: number,
): (tx: Tx, userId: string) => Promise<void> {
  const { now, refuse } = call
  const judged = compiledSchemaOf(snapshot).validateForm('signUp', profile ?? {}, { now })
  if ('validation' in judged) throw refuse('VALIDATION_ERROR', invalidProfile(judged))
  if (profile === undefined) return async () => {}
  const { values } = judged
  const content = requireProfileContent(refuse, values, maxBytes)
  return (tx, userId) => addNewProfile(tx, userId, { values, content }, snapshot, call)
}
