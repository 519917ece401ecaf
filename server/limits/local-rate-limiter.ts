import { type Counted, type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { SlidingLog } from './sliding-log.ts'

/** A limiter in this process's memory; answers at once. */
export interface LocalRateLimiter extends ManagedRateLimiter {
  take(name: string, subject: string, quota: Quota, now: number): Verdict
  peek(name: string, subject: string, quota: Quota, now: number): Verdict
  giveBack(name: string, subject: string, quota: Quota, takenAt: number): void
  clear(name: string, subject: string, quota: Quota, now: number): void
  /** Number of subjects, over all names. */
  readonly size: number
}

/** The subjects of one limit. */
interface Subjects {
  readonly windowMs: number
  readonly logs: Map<string, SlidingLog>
  /**
   * Where the search for a subject to evict continues; it is circular. Null while there is room: an iterator that does not
   * move keeps every table that its map has outgrown since, with the subjects in it.
   */
  hand: MapIterator<[string, SlidingLog]> | null
}

const MOST_SUBJECTS = 100_000
const EVICTION_CANDIDATES = 16
const nothing: Counted = { size: 0, oldest: 0 }

/**
 * An exact sliding log per subject. Memory: about 250 bytes per subject and 8 to 16 per counted request. The number of
 * subjects is capped per name (`mostSubjects`, default 100,000), so that a flood on one limit does not evict the subjects
 * of another. At the cap a new subject replaces the one with the fewest requests among the next sixteen candidates, so a
 * subject that used up its quota is evicted last.
 */
export function createLocalRateLimiter({ mostSubjects = MOST_SUBJECTS } = {}): LocalRateLimiter {
  const byName = new Map<string, Subjects>()

  function subjectsOf(name: string, windowMs: number): Subjects {
    const known = byName.get(name)
    if (known) return known
    const logs = new Map<string, SlidingLog>()
    const subjects: Subjects = { windowMs, logs, hand: null }
    byName.set(name, subjects)
    return subjects
  }

  function admit(subjects: Subjects, subject: string, now: number): SlidingLog {
    if (subjects.logs.size >= mostSubjects) evictOne(subjects, now)
    const log = new SlidingLog()
    subjects.logs.set(subject, log)
    return log
  }

  return {
    take(name, subject, quota, now) {
      const windowMs = quota.windowSeconds * 1000
      const subjects = subjectsOf(name, windowMs)
      let log = subjects.logs.get(subject)
      log?.forgetBefore(now, windowMs)
      const admitted = (log?.size ?? 0) < quota.quota
      if (admitted) {
        log ??= admit(subjects, subject, now)
        log.add(now)
      }
      return verdictOn(admitted, log ?? nothing, quota, now)
    },

    peek(name, subject, quota, now) {
      const log = byName.get(name)?.logs.get(subject)
      log?.forgetBefore(now, quota.windowSeconds * 1000)
      return verdictOn((log?.size ?? 0) < quota.quota, log ?? nothing, quota, now)
    },

    giveBack(name, subject, _quota, takenAt) {
      byName.get(name)?.logs.get(subject)?.remove(takenAt)
    },

    clear(name, subject, _quota, now) {
      byName.get(name)?.logs.get(subject)?.forgetBefore(now, 0)
    },

    sweep(now) {
      for (const subjects of byName.values()) {
        const { logs, windowMs } = subjects
        for (const [subject, log] of logs) {
          log.forgetBefore(now, windowMs)
          if (log.size === 0) logs.delete(subject)
        }
        if (logs.size < mostSubjects) subjects.hand = null
      }
    },

    async close() {},

    get size() {
      let size = 0
      for (const { logs } of byName.values()) size += logs.size
      return size
    },
  }
}

function evictOne(subjects: Subjects, now: number): void {
  let fewest = Number.POSITIVE_INFINITY
  let loser: string | undefined
  for (let candidate = 0; candidate < EVICTION_CANDIDATES; candidate++) {
    subjects.hand ??= subjects.logs.entries()
    const next = subjects.hand.next()
    if (next.done) {
      subjects.hand = null
      continue
    }
    const [subject, log] = next.value
    log.forgetBefore(now, subjects.windowMs)
    if (log.size < fewest) {
      fewest = log.size
      loser = subject
    }
  }
  if (loser !== undefined) subjects.logs.delete(loser)
}
