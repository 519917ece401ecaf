import type { KeyKind } from '../../contract/admin-keys.ts'
import type { Capability } from '../../contract/capabilities.ts'
import type { StoredProfileSchema } from '../../contract/profile-schema.ts'

/** A tenant; times in epoch milliseconds. */
export interface Tenant {
  readonly id: string
  readonly name: string
  readonly suspended: boolean
  readonly restrictedCapabilities: readonly Capability[]
  /** Goes up with every change of the tenant, its configuration or its profile schema; caches are keyed by it. */
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

/** A published version of a tenant's profile schema with its place in the order of publishing. */
export interface PublishedVersion {
  readonly ordinal: number
  readonly schema: StoredProfileSchema
  readonly publishedAt: number
}

/** What a tenant is configured to do, at one revision. */
export interface StoredConfiguration {
  readonly revision: number
  /** The map of modules as the operator put it; null when there is none. */
  readonly modules: Readonly<Record<string, unknown>> | null
  readonly profileSchema: PublishedVersion
}

/** A page of a list: items after `cursor` in id order. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** One tenant's own row and settings. */
export interface TenantStore {
  get(): Promise<Tenant | null>
  update(
    changes: Partial<Pick<Tenant, 'name' | 'suspended' | 'restrictedCapabilities'>>,
    now: number,
  ): Promise<Tenant | null>
  /** Its keys are dead from here on; `TenantDirectory.erase` removes the rows. */
  markDeleted(now: number): Promise<boolean>
  configuration(): Promise<StoredConfiguration | null>
  /** Replaces the modules if the revision is still the one given; false when it is not. */
  replaceModules(modules: Readonly<Record<string, unknown>>, expectedRevision: number, now: number): Promise<boolean>
  /** Makes a version current, storing it first when it is new; false when the revision is no longer the one given. */
  publishSchema(schema: PublishedVersion, expectedRevision: number, now: number): Promise<boolean>
  findSchema(version: string): Promise<PublishedVersion | null>
  /** Every version published after `ordinal`, in order. */
  schemasAfter(ordinal: number): Promise<PublishedVersion[]>
}

/** One tenant's keys. */
export interface TenantKeyStore {
  add(key: TenantKey): Promise<void>
  find(id: string): Promise<TenantKey | null>
  list(page: PageRequest): Promise<TenantKey[]>
  /** Active → revoked; false when there is no active one. */
  revoke(id: string, now: number): Promise<boolean>
  /** Sets the end of an active key unless it ends sooner already; false when there is no active one. */
  expireAt(id: string, at: number, now: number): Promise<boolean>
}

/** All tenants, for the operator and the background. */
export interface TenantDirectory {
  add(tenant: Tenant, modules: Readonly<Record<string, unknown>>, schema: PublishedVersion): Promise<void>
  list(page: PageRequest): Promise<Tenant[]>
  count(): Promise<number>
  /** The tenant that was deleted first, until then, after skipping so many; null when there is none. */
  nextDeleted(deletedUntil: number, skip: number): Promise<string | null>
  /** Erases up to `batch` rows of a deleted tenant, its own row last; true when there is more to do. */
  erase(tenantId: string, batch: number): Promise<boolean>
  /** Notes when keys were last used. */
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>
}
