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
/** Totals are counted again at least this often, and for what expires at most this often. */
const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * The background work that counts the users and sessions of tenants whose totals are due. It corrects what changes by itself,
 * such as sessions that expire, and what a killed process had counted and not written.
 * @param flush writes what this process has counted: it is in the rows already, and would be added to their number
 */
export function createTotalsRecount(storage: Storage, flush: () => Promise<void>): (now: number) => Promise<void> {
  const { counts } = storage.system
  let isFirstRound = true

  async function recount(due: DueTotals, now: number): Promise<number> {
    const { counts: ofTenant } = storage.forTenant(due.tenantId)
    const { reads, firstEnd, ...totals } = await countRows(ofTenant, now)
    await flush()
    const next = Math.min(now + dayMs, Math.max(firstEnd, now + hourMs))
    await counts.replaceTotals(due, totals, now, next)
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

interface CountedRows extends Totals {
  readonly reads: number
  /** When the first session or suspension expires. */
  readonly firstEnd: number
}

async function countRows(rows: TenantCountStore, now: number): Promise<CountedRows> {
  const sums = { users: 0, guests: 0, suspended: 0, openSessions: 0, reads: 0, firstEnd: Number.POSITIVE_INFINITY }
  for (let after: string | null = ''; after !== null; sums.reads++) {
    const counted = await rows.countUsers(after, slice)
    sums.users += counted.users
    sums.guests += counted.guests
    for (const suspension of counted.suspensions) {
      if (!isInForce(suspension, now)) continue
      sums.suspended++
      sums.firstEnd = Math.min(sums.firstEnd, suspension.until ?? Number.POSITIVE_INFINITY)
    }
    after = counted.last
  }
  for (let after: string | null = ''; after !== null; sums.reads++) {
    const counted = await rows.countSessions(after, slice, now)
    sums.openSessions += counted.openSessions
    sums.firstEnd = Math.min(sums.firstEnd, counted.expiresAt ?? Number.POSITIVE_INFINITY)
    after = counted.last
  }
  return sums
}
