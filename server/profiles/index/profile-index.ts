import type { PublishedVersion } from '../../tenants/tenant.ts'

/** A value of one user in the index of unique or searchable fields (`index-entries.ts`). */
export interface IndexEntry {
  /** The field's name in the index (`index-keys.ts`). */
  readonly field: string
  readonly value: string
}

/** What the index contains for one profile. */
export interface ProfileEntries {
  readonly unique: readonly IndexEntry[]
  readonly search: readonly IndexEntry[]
}

/** An entry with the user who has it, or is to get it. */
export interface UserEntry extends IndexEntry {
  readonly userId: string
}

/** An entry whose value another one replaces. */
export interface ReplacedEntry extends UserEntry {
  /** The value until now. */
  readonly before: string
}

/** A value that a user claimed and another one holds. */
export interface HeldEntry extends UserEntry {
  readonly holder: string
}

/** One tenant's index of unique and searchable values. */
export interface ProfileIndexStore {
  /** Throws a conflict in an attempt without a transaction, so that the work runs again in one. */
  requireTransaction(): void
  entriesOf(userId: string): Promise<ProfileEntries>
  /**
   * Claims unique values, in an order that is the same for all callers. In a transaction.
   * @returns those that other users hold; all others belong to their users now
   */
  claim(entries: readonly UserEntry[]): Promise<HeldEntry[]>
  /** Gives unique values up. */
  release(entries: readonly UserEntry[]): Promise<void>
  addSearch(entries: readonly UserEntry[]): Promise<void>
  removeSearch(entries: readonly UserEntry[]): Promise<void>
  /** Replaces searchable values: half the statements of adding and removing. The user has no entry with the new value. */
  replaceSearch(entries: readonly ReplacedEntry[]): Promise<void>
  /** The holders of unique values; values without a holder are left out. */
  holders(entries: readonly IndexEntry[]): Promise<UserEntry[]>
  removeAllOf(userId: string): Promise<void>
  /** The first field with entries after this one in order of names. */
  nextField(after: string): Promise<string | null>
  /** Removes up to `batch` entries of a field; true when there may be more. */
  removeField(field: string, batch: number): Promise<boolean>
}

/** The versions whose fields a write indexes: the current one, and the one that is to become current. */
export interface IndexedVersions {
  readonly profileSchema: PublishedVersion
  readonly building: PublishedVersion | null
}
