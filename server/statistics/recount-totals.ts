import { isInForce } from '../accounts/restriction.ts'
import type { Storage } from '../storage/storage.ts'
import type { DueTotals, TenantCountStore, Totals } from './tenant-counts.ts'

/** Rows per read: a few milliseconds of SQLite's event loop. */
const slice = 2_000
/** Tenants that are leased at once, and how long. */
const batch = 20
const leaseMs = 30 * 60_000
/** Reads per round of housekeeping; a tenant that has been started is finished. */
const mostReads = 500

/**
 * The background work that counts the users and sessions of tenants whose totals are due. It corrects what changes by itself,
 * such as sessions that expire, and what a killed process had counted and not written.
 */
export function createTotalsRecount(storage: Storage): (now: number) => Promise<void> {
  const { counts } = storage.system
  let isFirstRound = true

  async function recount(due: DueTotals, now: number): Promise<number> {
    const { counts: ofTenant } = storage.forTenant(due.tenantId)
    const { reads, ...totals } = await countRows(ofTenant, now)
    await counts.replaceTotals(due, totals, now)
    return reads
  }

  return async (now) => {
    if (isFirstRound) await counts.addMissingTotals()
    isFirstRound = false
    for (let reads = 0; reads < mostReads; ) {
      const due = await counts.claimDue(now, now + leaseMs, batch)
      for (const one of due) reads += await recount(one, now)
      if (due.length < batch) return
    }
  }
}

async function countRows(rows: TenantCountStore, now: number): Promise<Totals & { readonly reads: number }> {
  const sums = { users: 0, guests: 0, suspended: 0, openSessions: 0, reads: 0 }
  for (let after: string | null = ''; after !== null; sums.reads++) {
    const counted = await rows.countUsers(after, slice)
    sums.users += counted.users
    sums.guests += counted.guests
    sums.suspended += counted.suspensions.filter((suspension) => isInForce(suspension, now)).length
    after = counted.last
  }
  for (let after: string | null = ''; after !== null; sums.reads++) {
    const counted = await rows.countSessions(after, slice, now)
    sums.openSessions += counted.openSessions
    after = counted.last
  }
  return sums
}
