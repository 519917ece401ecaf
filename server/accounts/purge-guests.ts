import { isSameRevision, type TenantRevision } from '../core/same-revision.ts'
import { eachTenant } from '../core/tenant-pass.ts'
import { record } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import type { Counts } from '../statistics/counts.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { eraseUser } from './erase-user.ts'

/** Small, so that a transaction does not block other writers for long. */
const batch = 100
const DAY = 86_400_000

/**
 * The background pass that erases guests idle for longer than the tenant's `auth.guest.idleDays`.
 * @returns one pass over all tenants; it throws TenantsFailed at its end when some tenants failed
 */
export function createGuestPurge(
  storage: Storage,
  snapshots: TenantSnapshots,
  counts: Pick<Counts, 'add'>,
): (now: number) => Promise<void> {
  /** Tenants without the setting: nothing is read of them until they change. */
  const without = new Map<string, TenantRevision>()

  async function purge(tenant: Tenant, now: number): Promise<void> {
    if (isSameRevision(without.get(tenant.id), tenant)) return
    const snapshot = await snapshots.of(tenant)
    const idleDays = snapshot.configuration.auth?.guest?.idleDays
    if (idleDays === undefined) {
      without.set(tenant.id, tenant)
      return
    }
    const stores = storage.forTenant(tenant.id)
    const before = now - idleDays * DAY
    const by = { now, background: snapshot }
    for (;;) {
      const ids = await stores.users.idleGuests(before, batch)
      await stores.write(async (tx) => {
        const erase = async (id: string) => {
          // Skips guests that were active or became full users after they were listed.
          const guest = await tx.users.lock(id)
          if (!guest?.guest || guest.lastActiveAt >= before) return
          await eraseUser(tx, guest, { tenantId: tenant.id, now }, counts)
          await record(tx, by, { type: 'user.deleted', subject: aUser(id), details: { reason: 'idle' } })
        }
        // Together: on PostgreSQL the statements of all guests share round trips.
        await Promise.all(ids.map(erase))
      })
      if (ids.length < batch) return
    }
  }

  return (now) => eachTenant(storage, (tenant) => purge(tenant, now), without)
}
