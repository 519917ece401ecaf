import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { QueuedEvent } from '../events/event.ts'

/** A user's profile as stored; times in epoch milliseconds. */
export interface StoredProfile {
  readonly id: string
  readonly userId: string
  /** The schema version of its values. */
  readonly schemaVersion: string
  readonly values: ProfileValues
  /** The JSON text of `values`, passed to `save` by callers that already have it. */
  readonly content?: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Fields whose values were stored before the first proof of the account's address: `writeOnce` does not bind them. */
  readonly unprovenFields?: readonly string[]
  /** Set by storage on profiles it returns; `save` uses it to detect a concurrent write. */
  readonly revision?: number
  /** The ordinal of the version that it was last indexed for; releases before stored none unless a version was building. */
  readonly indexedOrdinal?: number
}

/** A profile by its ids, and the version that it is indexed for. */
export interface IndexState extends Pick<StoredProfile, 'id' | 'userId'> {
  readonly indexedOrdinal: number | null
}

/** One tenant's profiles. */
export interface ProfileStore {
  find(userId: string): Promise<StoredProfile | null>
  /**
   * Replaces `previous`, or stores the user's first profile when it is null. False after a concurrent write: read and
   * decide again. Otherwise the event is queued with it.
   */
  save(profile: StoredProfile, previous: StoredProfile | null, event?: QueuedEvent | null): Promise<boolean>
  /** The profiles of all users in a range of ids, both ends included. */
  listBetween(firstUserId: string, lastUserId: string): Promise<StoredProfile[]>
  /** Profiles in id order after `cursor`, for checks and migrations. */
  list(page: { limit: number; cursor: string | null }): Promise<StoredProfile[]>
  /** All profiles in id order after `cursor`, for builds. */
  listIndexStates(page: { limit: number; cursor: string | null }): Promise<IndexState[]>
  /** Marks a profile as indexed for the building version; false after a concurrent write. */
  markIndexed(profile: StoredProfile, ordinal: number): Promise<boolean>
  /** The number of profiles, counted up to a limit. */
  countUpTo(limit: number): Promise<number>
  /** Marks the values of the user's profile as stored before the first proof of the address: not bound by `writeOnce`. */
  markUnproven(userId: string): Promise<void>
  /** How many there are, counted in steps of `step`, so that no statement reads all of them. */
  count(step: number): Promise<number>
  /** How many profiles are stored under each version. Those that change meanwhile may be missing, or counted twice. */
  countByVersion(): Promise<ReadonlyMap<string, number>>
  remove(userId: string): Promise<void>
}
