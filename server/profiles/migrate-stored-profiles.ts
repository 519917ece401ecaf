import { eachTenant } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { migrated } from './read-profile.ts'

const pageSize = 200

/**
 * The background pass of design 7: stores profiles as their tenant's current schema reads them, a page at a time.
 * Interrupted anywhere it loses nothing, as reading migrates too; a profile written meanwhile is left to the next pass.
 * @returns one pass over all tenants that changed since the last one; throws TenantsFailed at its end when some failed
 */
export function createProfileMigration(storage: Storage, snapshots: TenantSnapshots): () => Promise<void> {
  const settled = new Map<string, number>()

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
      if (settled.get(tenant.id) === tenant.revision) return
      await migrateTenant(tenant)
      settled.set(tenant.id, tenant.revision)
    })
}
