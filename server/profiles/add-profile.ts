import type { QueuedEvent } from '../events/event.ts'
import { type Stores, WriteConflict } from '../storage/storage.ts'
import {
  applyIndexChanges,
  heldFields,
  type IndexWrites,
  indexChanges,
  latestOf,
  type VersionSource,
} from './index/index-changes.ts'
import type { IndexedVersions } from './index/profile-index.ts'
import type { StoredProfile } from './profile-store.ts'

/** The stores that adding a profile uses. */
export interface ProfileTarget extends VersionSource {
  readonly profiles: Pick<Stores['profiles'], 'save'>
  readonly profileIndex: IndexWrites
}

/**
 * Stores a user's first profile with its event and indexes it. In a transaction.
 * @param versions those of `versionsToIndexFirst` in this transaction
 * @returns the fields whose values other users have; when there are any, nothing is stored
 */
export async function addProfile(
  stores: ProfileTarget,
  profile: StoredProfile,
  versions: IndexedVersions,
  event: QueuedEvent | null = null,
): Promise<string[]> {
  const changes = await indexChanges(stores, versions, null, profile)
  if (changes !== null) {
    const held = await applyIndexChanges(stores.profileIndex, profile.userId, changes)
    if (held.length > 0) {
      const added = { unique: [], search: [] }
      await applyIndexChanges(stores.profileIndex, profile.userId, { added, removed: changes.added })
      return heldFields(held, versions)
    }
  }
  const { ordinal } = latestOf(versions)
  if (!(await stores.profiles.save({ ...profile, indexedOrdinal: ordinal }, null, event))) {
    throw new WriteConflict('The user has a profile already')
  }
  return []
}
