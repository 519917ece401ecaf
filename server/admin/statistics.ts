import type * as operations from '../../contract/admin/statistics.ts'
import type { Handler } from '../core/handler.ts'
import type { Refuse } from '../core/service-error.ts'
import type { Services } from '../services.ts'
import { calendarOf, countDays, type DayCounts, earliestBegin } from '../statistics/days.ts'
import type { HalfHour, Totals } from '../statistics/tenant-counts.ts'
import type { Storage } from '../storage/storage.ts'
import { getManagedTenant } from './managed-tenant.ts'

/** `GET /admin/tenants/{t}/statistics`. */
export const getTenantStatistics: Handler<typeof operations.getTenantStatistics> = async (
  { params, query },
  { now, refuse },
  services,
) => {
  const days = daysOf(query, now, refuse)
  const { stores } = await getManagedTenant(services.storage, params.tenantId, refuse)
  await writeCounts(services)
  const totals = await stores.counts.totals()
  return { totals: totals && present(totals), days: await days((since) => stores.counts.halfHoursSince(since)) }
}

/** `GET /admin/statistics`: an operator bound to tenants gets the sum of those. */
export const getStatistics: Handler<typeof operations.getStatistics> = async (
  { query },
  { now, refuse, operator: { tenantIds } },
  services,
) => {
  const days = daysOf(query, now, refuse)
  const { storage } = services
  await writeCounts(services)
  if (tenantIds !== null) {
    const { totals, halfHours } = ofTenants(tenantIds, storage)
    return { totals: await totals(), days: await days(halfHours) }
  }
  const { counts, tenants } = storage.system
  const totals = { tenants: await tenants.count(), ...present(await counts.totals()) }
  return { totals, days: await days((since) => counts.halfHoursSince(since)) }
}

/** Writes what this process has counted. If it cannot be written, lists and statistics show what is stored. */
export const writeCounts = ({ counts, logger }: Pick<Services, 'counts' | 'logger'>): Promise<void> =>
  counts.flush().catch((error) => logger.warn({ err: error }, 'failed to store counts; retrying within a minute'))

/** At most 100 tenants are named, and each is read by its key. */
function ofTenants(ids: readonly string[], storage: Storage) {
  const stores = ids.map((id) => storage.forTenant(id))
  return {
    async totals() {
      const read = await Promise.all(stores.map(({ tenant, counts }) => Promise.all([tenant.get(), counts.totals()])))
      const known = read.filter(([tenant]) => tenant !== null)
      const sums = { tenants: known.length, users: 0, guests: 0, suspended: 0, openSessions: 0 }
      for (const [, totals] of known) {
        if (totals === null) continue
        for (const name of ['users', 'guests', 'suspended', 'openSessions'] as const)
          sums[name] += Math.max(0, totals[name])
      }
      return sums
    },
    halfHours: async (since: number) =>
      (await Promise.all(stores.map(({ counts }) => counts.halfHoursSince(since)))).flat(),
  }
}

/** Between two counts of the rows, changes that happen at once may be counted in another order. */
const present = ({ users, guests, suspended, openSessions }: Totals): Totals => ({
  users: Math.max(0, users),
  guests: Math.max(0, guests),
  suspended: Math.max(0, suspended),
  openSessions: Math.max(0, openSessions),
})

/** The days that a query asks for. */
function daysOf(
  { days = 30, timezone = 'UTC' }: { readonly days?: number | undefined; readonly timezone?: string | undefined },
  now: number,
  refuse: Refuse<'VALIDATION_ERROR'>,
): (read: (since: number) => Promise<readonly HalfHour[]>) => Promise<DayCounts[]> {
  const dayOf = calendarOf(timezone)
  if (dayOf === null) {
    const timezone = 'Unknown time zone; send the name of an IANA time zone, such as Europe/Berlin'
    throw refuse('VALIDATION_ERROR', { validation: { timezone } })
  }
  return async (read) => countDays(await read(earliestBegin(days, now)), dayOf, days, now)
}
