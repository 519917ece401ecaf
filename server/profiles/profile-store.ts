import type { ProfileValues } from './field-kind.ts'

/** A user's profile as stored; times in epoch milliseconds. */
export interface StoredProfile {
  readonly id: string
  readonly userId: string
  /** The version of the schema its values were last written under. */
  readonly schemaVersion: string
  readonly values: ProfileValues
  /** The JSON text of `values`; passed to `save` by a caller that has measured it, so that it is made once. */
  readonly content?: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Fields whose values were stored before the first proof of the account's address: `writeOnce` does not bind them. */
  readonly unprovenFields?: readonly string[]
  /** Put by storage on what it returns: how `save` knows that no other write came between. */
  readonly revision?: number
}

/** One tenant's profiles. */
export interface ProfileStore {
  find(userId: string): Promise<StoredProfile | null>
  /**
   * Stores it as the successor of `previous`; null makes the user's first. False when another write came first:
   * read again and decide anew.
   */
  save(profile: StoredProfile, previous: StoredProfile | null): Promise<boolean>
  /** Profiles in id order after `cursor`, for checks and migrations. */
  list(page: { limit: number; cursor: string | null; notVersion?: string }): Promise<StoredProfile[]>
  /** The user's profile was filled in before the first proof of the address: `writeOnce` binds none of its values. */
  markUnproven(userId: string): Promise<void>
  remove(userId: string): Promise<void>
}
