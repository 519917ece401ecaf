import type { Clock } from '../core/clock.ts'
import type { AttemptResult } from '../delivery/outbox.ts'
import type { HousekeepingTask } from '../housekeeping/housekeeping.ts'
import { type Counts, createCounts } from '../statistics/counts.ts'
import { createTotalsRecount } from '../statistics/recount-totals.ts'
import type { Storage } from '../storage/storage.ts'
import { createNameFolding } from '../tenants/fold-names.ts'

interface Statistics {
  readonly counts: Counts
  /** Counts what became of a message. */
  countMessage(result: AttemptResult): void
  /** What housekeeping does for the console's lists and statistics. */
  readonly tasks: readonly HousekeepingTask[]
}

export function createStatistics(storage: Storage, clock: Clock): Statistics {
  const counts = createCounts(storage.system.counts, clock)
  return {
    counts,
    countMessage({ state, tenantId }) {
      if (state === 'sent') counts.add(tenantId, 'messagesSent')
      if (state === 'failed') counts.add(tenantId, 'messagesFailed')
    },
    tasks: [
      { name: 'tenant_names', run: createNameFolding(storage.system.tenants) },
      { name: 'tenant_totals', run: createTotalsRecount(storage, counts.flush) },
    ],
  }
}
