import { clockMarginMs } from '../core/clock.ts'
import { knownNetworkMs } from '../limits/known-networks.ts'
import { keptCountsMs } from '../statistics/tenant-counts.ts'
import type { PurgedRows, Storage } from '../storage/storage.ts'
import type { HousekeepingTask } from './housekeeping.ts'

const dayMs = 24 * 60 * 60_000
/** Rows per transaction; small, so that a batch does not hold the writer for long. */
const batch = 500

/**
 * One task for each kind of rows that are deleted once they are old.
 * @param retentionMs how long OTPs and messages are kept after their end
 */
export function purgeTasks(storage: Storage, retentionMs: number): HousekeepingTask[] {
  const purge = (name: string, kind: PurgedRows, keptMs: number): HousekeepingTask => ({
    name,
    async run(now) {
      while (await storage.system.purge(kind, now - keptMs, batch));
    },
  })
  return [
    purge('old_otps', 'otps', retentionMs),
    purge('old_messages', 'messages', retentionMs),
    // A session makes its network known for this long (`limits/known-networks.ts`).
    purge('old_sessions', 'sessions', knownNetworkMs),
    // They expire by the wall clock, which this clock may be ahead of.
    purge('used_id_tokens', 'usedIdTokens', clockMarginMs),
    purge('idempotency_keys', 'idempotencyKeys', 0),
    purge('operator_sessions', 'operatorSessions', 0),
    purge('old_counts', 'counts', keptCountsMs),
    purge('limit_logs', 'limitLogs', 0),
    // Around midnight another server may still count the day before.
    purge('sms_spending', 'smsSpending', dayMs),
  ]
}
