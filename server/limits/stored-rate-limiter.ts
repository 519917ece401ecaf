import { randomUUID } from 'node:crypto'
import { ServiceError } from '../core/service-error.ts'
import { limitKey } from './limit-key.ts'
import type { LimitLogStore, StoredLog } from './limit-log.ts'
import { type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { SlidingLog } from './sliding-log.ts'
import { withTimeout } from './with-timeout.ts'

/** What is done to one subject's log, once or again: when another process was faster, on the log that it left. */
type Act = (log: SlidingLog) => Verdict

/** An act, and who waits for what comes of it. */
interface Waiting {
  readonly act: Act
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

const defaultMostSeen = 10_000
const answerMs = 2_000
const nothing: StoredLog = { revision: '', times: '' }

/**
 * A limiter whose logs lie in a database, exact across all processes on it. A change is one statement, made on the log
 * that was seen last and stored only if that is still the one; else made again on the log that came between. What is
 * asked of one subject while its log is under way goes together afterwards, so a flood of one subject is never more
 * than one statement at a time. A log is written whole: quotas of thousands are Valkey's.
 *
 * Every call is refused with SERVICE_UNAVAILABLE when the database fails or takes longer than two seconds.
 *
 * @param mostSeen logs remembered, those used last; any other costs a second statement
 */
export function createStoredRateLimiter(store: LimitLogStore, { mostSeen = defaultMostSeen } = {}): ManagedRateLimiter {
  const seen = new LogsSeen(mostSeen)
  /** Who waits for each log that is under way. */
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
        // Who came meanwhile has waited as well, and would only meet the same.
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

/** Does the acts in their order to the log as it is stored, whatever other processes do to it meanwhile. */
async function settle(store: LimitLogStore, seen: LogsSeen, { key, windowMs, acts }: Batch): Promise<Verdict[]> {
  const deadline = performance.now() + answerMs
  let base = seen.find(key)
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
    seen.remember(key, base)
    if (base.revision === wanted.revision) return verdicts
  }
  throw new Error('Other processes were faster every time')
}

/** The logs used last, as they were then: another process may have changed them since. */
class LogsSeen {
  readonly #logs = new Map<string, StoredLog>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  find(key: string): StoredLog {
    return this.#logs.get(key) ?? nothing
  }

  remember(key: string, log: StoredLog): void {
    this.#logs.delete(key)
    this.#logs.set(key, log)
    if (this.#logs.size > this.#most) this.#logs.delete(this.#logs.keys().next().value!)
  }
}

const unavailable = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause })
