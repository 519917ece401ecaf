import { eachTenant } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { migrated } from './read-profile.ts'

const pageSize = 200

/**
 * Housekeeping task that stores profiles migrated to their tenant's current schema, a page at a time. It can be interrupted
 * at any point, because reading migrates too; a profile that is written meanwhile is left to the next pass.
 * @returns runs one pass over all tenants that changed since the last one; throws TenantsFailed at the end if some failed
 */
export function createProfileMigration(storage: Storage, snapshots: TenantSnapshots): () => Promise<void> {
  /** Tenant id → revision of the tenant whose profiles are migrated. */
  const migratedRevisions = new Map<string, number>()

  async function migrateTenant(tenant: Tenant): Promise<void> {
    const snapshot = await snapshots.of(tenant)
    const stores = storage.forTenant(tenant.id)
    const { version } = snapshot.profileSchema.schema
    let cursor: string | null = null
    for (;;) {
      const page = await stores.profiles.list({ limit: pageSize, cursor })
      for (const stored of page.filter(({ schemaVersion }) => schemaVersion !== version)) {
        const profile = await migrated(stored, snapshot, stores)
        if (profile !== stored) await stores.profiles.save(profile, stored)
      }
      if (page.length < pageSize) return
      cursor = page.at(-1)?.id ?? null
    }
  }

  return () =>
    eachTenant(storage, async (tenant) => {
      if (migratedRevisions.get(tenant.id) === tenant.revision) return
      await migrateTenant(tenant)
      migratedRevisions.set(tenant.id, tenant.revision)
    })
}
