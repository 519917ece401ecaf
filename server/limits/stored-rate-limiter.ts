import { randomUUID } from 'node:crypto'
import { LruCache } from '../core/lru-cache.ts'
import { ServiceError } from '../core/service-error.ts'
import { withTimeout } from '../core/with-timeout.ts'
import { limitKey } from './limit-key.ts'
import type { LimitLogStore, StoredLog } from './limit-log.ts'
import { type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { SlidingLog } from './sliding-log.ts'

/** An operation on one subject's log; repeated on the new log when another process changed it in between. */
type Act = (log: SlidingLog) => Verdict

/** An operation and the promise of its caller. */
interface Waiting {
  readonly act: Act
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

const defaultMostSeen = 10_000
const answerMs = 2_000
const nothing: StoredLog = { revision: '', times: '' }

/**
 * A limiter with its logs in a database, exact across all processes on it, by optimistic concurrency: a change is one
 * compare-and-swap statement on the log that this process saw last, repeated on the stored log when another process changed
 * it in between. Operations on one subject are batched while a statement of it runs, so a flood of one subject is never
 * more than one statement at a time. A log is written as a whole: use Valkey for quotas of thousands.
 *
 * Every call is refused with SERVICE_UNAVAILABLE when the database fails or takes longer than two seconds.
 *
 * @param mostSeen logs that are cached; any other log costs a second statement
 */
export function createStoredRateLimiter(store: LimitLogStore, { mostSeen = defaultMostSeen } = {}): ManagedRateLimiter {
  /** Logs as this process saw them last; another process may have changed them since. */
  const seen = new LruCache<StoredLog>(mostSeen)
  /** Waiting operations by key, for each log with a running statement. */
  const queues = new Map<string, Waiting[]>()

  function ask(name: string, subject: string, quota: Quota, act: Act): Promise<Verdict> {
    const key = limitKey(name, subject)
    return new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue) queue.push({ act, resolve, reject })
      else {
        queues.set(key, [{ act, resolve, reject }])
        settleAll(key, quota.windowSeconds * 1000)
      }
    })
  }

  async function settleAll(key: string, windowMs: number): Promise<void> {
    const queue = queues.get(key)!
    while (queue.length > 0) {
      const batch = queue.splice(0)
      const acts = batch.map(({ act }) => act)
      try {
        const verdicts = await withTimeout(answerMs, settle(store, seen, { key, windowMs, acts }))
        for (const [index, { resolve }] of batch.entries()) resolve(verdicts[index]!)
      } catch (error) {
        // Operations that arrived meanwhile have waited as well and would fail alike.
        for (const { reject } of [...batch, ...queue.splice(0)]) reject(unavailable(error))
      }
    }
    queues.delete(key)
  }

  return {
    take: (name, subject, quota, now) =>
      ask(name, subject, quota, (log) => {
        log.forgetBefore(now, quota.windowSeconds * 1000)
        const admitted = log.size < quota.quota
        if (admitted) log.add(now)
        return verdictOn(admitted, log, quota, now)
      }),

    peek: (name, subject, quota, now) =>
      ask(name, subject, quota, (log) => {
        log.forgetBefore(now, quota.windowSeconds * 1000)
        return verdictOn(log.size < quota.quota, log, quota, now)
      }),

    async giveBack(name, subject, quota, takenAt) {
      await ask(name, subject, quota, (log) => {
        log.remove(takenAt)
        return verdictOn(true, log, quota, takenAt)
      })
    },

    async clear(name, subject, quota, now) {
      await ask(name, subject, quota, (log) => {
        log.forgetBefore(now, 0)
        return verdictOn(true, log, quota, now)
      })
    },

    sweep() {},
    async close() {},
  }
}

interface Batch {
  readonly key: string
  readonly windowMs: number
  readonly acts: readonly Act[]
}

/** Applies the operations in order to the stored log, and retries when another process changes it. */
async function settle(
  store: LimitLogStore,
  seen: LruCache<StoredLog>,
  { key, windowMs, acts }: Batch,
): Promise<Verdict[]> {
  const deadline = performance.now() + answerMs
  let base = seen.peek(key) ?? nothing
  let isFresh = false
  while (performance.now() < deadline) {
    const log = SlidingLog.fromText(base.times)
    const verdicts = acts.map((act) => act(log))
    const times = log.toText()
    if (times === base.times && isFresh) return verdicts
    const wanted = times === base.times ? base : { revision: randomUUID(), times }
    const expiresAt = log.size === 0 ? 0 : log.newest + windowMs
    base = wanted === base ? await store.find(key) : await store.exchange(key, wanted, expiresAt, base.revision)
    isFresh = true
    seen.set(key, base)
    if (base.revision === wanted.revision) return verdicts
  }
  throw new Error('Every attempt conflicted with another process')
}

const unavailable = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause })
