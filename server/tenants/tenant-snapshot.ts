import type { Storage } from '../storage/storage.ts'
import type { PublishedVersion, Tenant } from './tenant.ts'
import { readConfiguration, type TenantConfiguration } from './tenant-configuration.ts'

/** A tenant with its settings at one revision: what one request is judged by from start to end (threat D14). */
export interface TenantSnapshot {
  readonly tenant: Tenant
  readonly configuration: TenantConfiguration
  readonly profileSchema: PublishedVersion
}

/** Snapshots of the tenants last seen; a revision once read never changes, so the revision is the whole cache key. */
export interface TenantSnapshots {
  of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot
  /** The tenant of an id; null when there is none. */
  find(tenantId: string): Promise<TenantSnapshot | null>
}

/** @param capacity tenants kept in memory; the one unused for longest makes room. */
export function createTenantSnapshots(storage: Storage, capacity = 1000): TenantSnapshots {
  const kept = new Map<string, TenantSnapshot>()
  /** Messages of one tenant are sent many at a time: those that ask while one is looking look no further. */
  const looking = new Map<string, Promise<TenantSnapshot | null>>()

  async function load(tenant: Tenant): Promise<TenantSnapshot> {
    const stored = await storage.forTenant(tenant.id).tenant.configuration()
    if (stored === null) throw new Error('A tenant vanished between two reads')
    const before = kept.get(tenant.id)?.profileSchema
    const snapshot: TenantSnapshot = {
      tenant,
      configuration: readConfiguration(stored.modules),
      // A version never changes: keeping its object keeps what was compiled from it.
      profileSchema: before?.schema.version === stored.profileSchema.schema.version ? before : stored.profileSchema,
    }
    // Read a moment apart: good for this request, but of two revisions.
    if (stored.revision !== tenant.revision) return snapshot
    kept.delete(tenant.id)
    kept.set(tenant.id, snapshot)
    const oldest = kept.keys().next().value
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest)
    return snapshot
  }

  function of(tenant: Tenant): Promise<TenantSnapshot> | TenantSnapshot {
    const snapshot = kept.get(tenant.id)
    return snapshot !== undefined && snapshot.tenant.revision === tenant.revision ? snapshot : load(tenant)
  }

  async function find(tenantId: string): Promise<TenantSnapshot | null> {
    const tenant = await storage.forTenant(tenantId).tenant.get()
    return tenant && of(tenant)
  }

  return {
    of,
    find(tenantId) {
      const known = looking.get(tenantId)
      if (known !== undefined) return known
      const found = find(tenantId).finally(() => looking.delete(tenantId))
      looking.set(tenantId, found)
      return found
    },
  }
}
