import { LruCache } from '../core/lru-cache.ts'
import { isSameRevision } from '../core/same-revision.ts'
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

/** Cached snapshots. A revision never changes, so tenant and revision are the cache key. */
export interface TenantSnapshots {
  of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot
  /**
   * null when the tenant does not exist. For background work: calls share a read that is under way, which may have begun
   * before a change.
   */
  find(tenantId: string): Promise<TenantSnapshot | null>
}

/** Memory of the smallest tenant, in characters. */
const leastWeight = 1_000

/**
 * Characters of stored configuration and schema to cache: ten thousand tenants of a few kilobytes each, or fewer large
 * ones. Those loaded first are evicted.
 */
const mostCharacters = 64_000_000

export function createTenantSnapshots(storage: Storage): TenantSnapshots {
  const cached = new LruCache<{ readonly snapshot: TenantSnapshot; readonly weight: number }>(
    mostCharacters,
    ({ weight }) => weight,
  )
  /** Many messages of a tenant are sent at once: concurrent calls share one look-up. */
  const pending = new Map<string, Promise<TenantSnapshot | null>>()

  async function load(tenant: Tenant): Promise<TenantSnapshot> {
    const stored = await storage.forTenant(tenant.id).tenant.configuration()
    if (stored === null) throw new Error('A tenant was deleted between two reads')
    const before = cached.peek(tenant.id)?.snapshot
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
    // Read at two revisions, it is good for this request only.
    if (stored.revision === tenant.revision) cached.set(tenant.id, { snapshot, weight: weightOf(stored) })
    return snapshot
  }

  function of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot {
    const snapshot = cached.peek(tenant.id)?.snapshot
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

const weightOf = ({ modules, profileSchema, building }: StoredConfiguration): number =>
  leastWeight +
  JSON.stringify(modules).length +
  JSON.stringify(profileSchema).length +
  (building === null ? 0 : JSON.stringify(building).length)
