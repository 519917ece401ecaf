import type { Storage } from '../storage/storage.ts'
import type { PublishedVersion, StoredConfiguration, Tenant } from './tenant.ts'
import { readConfiguration, type TenantConfiguration } from './tenant-configuration.ts'

/** A tenant with its settings at one revision. A request uses one snapshot from start to end (threat D14). */
export interface TenantSnapshot {
  readonly tenant: Tenant
  readonly configuration: TenantConfiguration
  readonly profileSchema: PublishedVersion
  /** The version that every write indexes besides the current one, before it becomes current. */
  readonly building: PublishedVersion | null
}

/**
 * Cached snapshots. A revision never changes, so tenant and revision are the cache key. Its time is compared too: a failover
 * to a standby that lags loses changes, and others get their revisions and ordinals.
 */
export interface TenantSnapshots {
  of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot
  /** null when the tenant does not exist. */
  find(tenantId: string): Promise<TenantSnapshot | null>
}

/** Memory of the smallest tenant, in characters. */
const leastWeight = 1_000

/**
 * @param capacity characters of stored configuration and schema to cache: ten thousand tenants of a few kilobytes each,
 *   or fewer large ones. The oldest are evicted.
 */
export function createTenantSnapshots(storage: Storage, capacity = 64_000_000): TenantSnapshots {
  const cached = new Map<string, { readonly snapshot: TenantSnapshot; readonly weight: number }>()
  let cachedWeight = 0
  /** Many messages of a tenant are sent at once: concurrent calls share one look-up. */
  const pending = new Map<string, Promise<TenantSnapshot | null>>()

  async function load(tenant: Tenant): Promise<TenantSnapshot> {
    const stored = await storage.forTenant(tenant.id).tenant.configuration()
    if (stored === null) throw new Error('A tenant was deleted between two reads')
    const before = cached.get(tenant.id)?.snapshot
    // A version never changes: reusing its object reuses the compiled schema. Names of versions are used again.
    const known = (version: PublishedVersion) =>
      [before?.profileSchema, before?.building].find(
        (one) => one?.ordinal === version.ordinal && one.publishedAt === version.publishedAt,
      ) ?? version
    const snapshot: TenantSnapshot = {
      tenant,
      configuration: readConfiguration(stored.modules),
      profileSchema: known(stored.profileSchema),
      building: stored.building && known(stored.building),
    }
    // Read at two revisions: good for this request, but not cacheable.
    if (stored.revision !== tenant.revision) return snapshot
    keep(snapshot, weightOf(stored))
    return snapshot
  }

  function keep(snapshot: TenantSnapshot, weight: number): void {
    forget(snapshot.tenant.id)
    cached.set(snapshot.tenant.id, { snapshot, weight })
    cachedWeight += weight
    for (const oldest of cached.keys()) {
      if (cachedWeight <= capacity || cached.size === 1) return
      forget(oldest)
    }
  }

  function forget(tenantId: string): void {
    cachedWeight -= cached.get(tenantId)?.weight ?? 0
    cached.delete(tenantId)
  }

  function of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot {
    const snapshot = cached.get(tenant.id)?.snapshot
    return snapshot !== undefined && isSameRevision(snapshot.tenant, tenant) ? snapshot : load(tenant)
  }

  async function find(tenantId: string): Promise<TenantSnapshot | null> {
    const tenant = await storage.forTenant(tenantId).tenant.get()
    return tenant && of(tenant)
  }

  return {
    of,
    find(tenantId) {
      const known = pending.get(tenantId)
      if (known !== undefined) return known
      const found = find(tenantId).finally(() => pending.delete(tenantId))
      pending.set(tenantId, found)
      return found
    },
  }
}

const isSameRevision = (one: Tenant, other: Tenant): boolean =>
  one.revision === other.revision && one.updatedAt === other.updatedAt

const weightOf = ({ modules, profileSchema, building }: StoredConfiguration): number =>
  leastWeight +
  JSON.stringify(modules).length +
  JSON.stringify(profileSchema).length +
  (building === null ? 0 : JSON.stringify(building).length)
