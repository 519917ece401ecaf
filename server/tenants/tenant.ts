import type { KeyKind } from '../../contract/admin/keys.ts'
import type { StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { Capability } from '../../contract/tenants/capabilities.ts'
import type { KeyedAnswer } from '../core/idempotency.ts'

/** A tenant; times in epoch milliseconds. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly suspended: boolean
  readonly restrictedCapabilities: readonly Capability[]
  /** Increases with every change of the tenant, its configuration or its profile schema; a cache key. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A tenant's key without its secret. */
export interface TenantKey {
  readonly id: string
  readonly name: string
  readonly kind: KeyKind
  /** SHA-256 of the secret. */
  readonly secretHash: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** A published version of a profile schema; `ordinal` is its place in the order of publication. */
export interface PublishedVersion {
  readonly ordinal: number
  readonly schema: StoredProfileSchema
  readonly publishedAt: number
  /** Null when it was published before this was recorded. */
  readonly publishedBy: string | null
  /** Absent of a version that is or was current. */
  readonly state?: 'building' | 'failed' | null
  /** The names of its unique and searchable fields in the index (`index-keys.ts`); absent when it has none. */
  readonly indexKeys?: Readonly<Record<string, string>> | null
}

/** How far a version has come: null when it is or was current. */
export interface VersionState {
  readonly state: 'building' | 'failed' | null
  /** Users with equal values in unique fields, of a version that failed. */
  readonly conflicts: readonly VersionConflict[] | null
}

/** Two users that have the same value in a field that a version makes unique. */
export interface VersionConflict {
  readonly field: string
  readonly userIds: readonly string[]
}

/** A version in a list: the size of its content instead of the content. */
export interface ListedVersion extends Omit<PublishedVersion, 'schema' | 'indexKeys' | 'state'>, VersionState {
  readonly version: string
  readonly fields: number
  readonly migrations: number
}

/** The configuration of a tenant at one revision. */
export interface StoredConfiguration {
  readonly revision: number
  /** The map of modules as the operator stored it; null when there is none. */
  readonly modules: Readonly<Record<string, unknown>> | null
  readonly profileSchema: PublishedVersion
  /** The version that becomes current when its unique and searchable fields are indexed. */
  readonly building: PublishedVersion | null
}

/** A page of a list: items after `cursor`, in id order. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** The row and settings of one tenant. */
export interface TenantStore {
  get(): Promise<Tenant | null>
  update(
    changes: Partial<Pick<Tenant, 'name' | 'suspended' | 'restrictedCapabilities'>>,
    now: number,
  ): Promise<Tenant | null>
  configuration(): Promise<StoredConfiguration | null>
  /** Replaces the modules; false when the revision is no longer the expected one. */
  replaceModules(modules: Readonly<Record<string, unknown>>, expectedRevision: number, now: number): Promise<boolean>
  /**
   * Makes a version current, storing it first when it is new; false when the revision is no longer the expected one, or
   * while a version is building.
   */
  publishSchema(schema: PublishedVersion, expectedRevision: number, now: number): Promise<boolean>
  /** Stores a version that is to become current once it is indexed; false like `publishSchema`. */
  startBuild(schema: PublishedVersion, expectedRevision: number, now: number): Promise<boolean>
  /** Makes the building version current; false when this attempt to build it has ended already. */
  finishBuild(building: PublishedVersion, now: number): Promise<boolean>
  /** Ends the build without effect on the current version; false when it has ended already. */
  failBuild(building: PublishedVersion, conflicts: readonly VersionConflict[], now: number): Promise<boolean>
  /** The revision, which cannot change before the end of the transaction; null for a deleted tenant. */
  lockRevision(): Promise<number | null>
  findSchema(version: string): Promise<PublishedVersion | null>
  /** Versions with a smaller ordinal than `before`, newest first. */
  listVersions(page: { limit: number; before: number }): Promise<ListedVersion[]>
  findVersion(version: string): Promise<(PublishedVersion & VersionState) | null>
  /** The names of up to `limit` versions that were current before the one with this ordinal, the latest first. */
  versionsBefore(ordinal: number, limit: number): Promise<string[]>
  /** Every version after `ordinal` that is or was current, in order. Reads a few at once, because all may be many megabytes. */
  schemasAfter(ordinal: number): AsyncIterable<PublishedVersion>
  /** The highest ordinal of all versions. */
  lastOrdinal(): Promise<number>
}

/** The keys of one tenant. */
export interface TenantKeyStore {
  add(key: TenantKey): Promise<void>
  find(id: string): Promise<TenantKey | null>
  list(page: PageRequest): Promise<TenantKey[]>
  /** Revokes an active key; false when there is no active one. */
  revoke(id: string, now: number): Promise<boolean>
  /** Sets the expiry of an active key unless it expires earlier; false when there is no active one. */
  expireAt(id: string, at: number, now: number): Promise<boolean>
}

/** A tenant with the number of its users; null until they have been counted. */
export type CountedTenant = Tenant & { readonly users: number | null }

/** Tenants whose name or id begins with a text; all of them with neither. */
export interface TenantSearch extends PageRequest {
  readonly order: 'newest' | 'oldest'
  /** As `foldedName` writes it. */
  readonly name?: string
  readonly id?: string
}

/** All tenants, for the operator and background work. */
export interface TenantDirectory {
  /** Stores a tenant, and the answer to a request with an `Idempotency-Key`; false when that key has an answer already. */
  add(
    tenant: Tenant,
    modules: Readonly<Record<string, unknown>>,
    schema: PublishedVersion,
    answer?: KeyedAnswer,
  ): Promise<boolean>
  list(page: PageRequest): Promise<Tenant[]>
  search(search: TenantSearch): Promise<CountedTenant[]>
  /**
   * Makes up to `limit` tenants after an id searchable by their names, if a process of an earlier version stored them.
   * @returns the last id; null at the end
   */
  foldNames(after: string, limit: number): Promise<string | null>
  count(): Promise<number>
  /** The keys of the tenant stop working immediately; `erase` removes its rows later. False when there is no such tenant. */
  markDeleted(tenantId: string, now: number): Promise<boolean>
  /** The earliest deleted tenant up to `deletedUntil`, after skipping `skip` of them; null when there is none. */
  nextDeleted(deletedUntil: number, skip: number): Promise<string | null>
  /**
   * Erases up to `batch` rows of a deleted tenant, its own row last.
   * @param from 0, then what the last call returned, which saves a look at each table that is erased
   * @returns null when there is nothing left to erase
   */
  erase(tenantId: string, batch: number, from: number): Promise<number | null>
  /** Stores when keys were last used. */
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>
}
