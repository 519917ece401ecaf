import { ulid } from '../core/ids.ts'
import type { Refuse } from '../core/service-error.ts'
import type { EventSource } from '../events/record.ts'
import type { Tx } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { addProfile } from './add-profile.ts'
import { versionsToIndexFirst } from './index/index-changes.ts'
import { invalidProfile } from './invalid-profile.ts'
import { profileEvent } from './profile-events.ts'
import type { StoredProfile } from './profile-store.ts'
import { takenFields } from './save-profile.ts'

/**
 * Stores the valid profile of a new user, which is the member `profile` of a body.
 * @throws VALIDATION_ERROR when other users have values of its unique fields
 */
export async function addNewProfile(
  tx: Tx,
  userId: string,
  profile: Pick<StoredProfile, 'values' | 'content'>,
  snapshot: TenantSnapshot,
  call: EventSource & { readonly refuse: Refuse<'VALIDATION_ERROR'> },
): Promise<void> {
  const { now, refuse } = call
  const schemaVersion = snapshot.profileSchema.schema.version
  const stored = { id: ulid(now), userId, schemaVersion, ...profile, createdAt: now, updatedAt: now }
  const versions = (await versionsToIndexFirst(tx, snapshot)) ?? snapshot
  const taken = await addProfile(tx, stored, versions, profileEvent(call, snapshot, userId, null, profile.values))
  if (taken.length > 0) throw refuse('VALIDATION_ERROR', invalidProfile(takenFields(taken)))
}
