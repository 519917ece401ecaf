import { type Counted, type ManagedRateLimiter, type Quota, type Verdict, verdictOn } from './rate-limiter.ts'
import { BELIEVABLE_SKEW, SlidingLog } from './sliding-log.ts'

/** A limiter in this process's memory; answers at once. */
interface LocalRateLimiter extends ManagedRateLimiter {
  take(name: string, subject: string, quota: Quota, now: number): Verdict
  peek(name: string, subject: string, quota: Quota, now: number): Verdict
  giveBack(name: string, subject: string, quota: Quota, takenAt: number): void
  clear(name: string, subject: string, quota: Quota, now: number): void
  /** Number of subjects, over all names. */
  readonly size: number
}

/** The requests of a subject: the time of the only one, which is all that most subjects have, or a log. */
type Requests = number | SlidingLog

/** The subjects of one limit. */
interface Subjects {
  readonly windowMs: number
  readonly bySubject: Map<string, Requests>
  /**
   * Where the search for a subject to evict continues; it is circular. Null while there is room: an iterator that does not
   * move keeps every table that its map has outgrown since, with the subjects in it.
   */
  hand: MapIterator<[string, Requests]> | null
}

const MOST_SUBJECTS = 100_000
const EVICTION_CANDIDATES = 16
const nothing: Counted = { size: 0, oldest: 0 }

/**
 * An exact sliding window per subject. Memory: about 130 bytes per subject, 100 more if it has several requests, and then
 * 8 to 16 per request. The number of subjects is capped per name (`mostSubjects`, default 100,000), so that a flood on one
 * limit does not evict the subjects of another. At the cap a new subject replaces the one with the fewest requests among
 * the next sixteen candidates, so a subject that used up its quota is evicted last.
 */
export function createLocalRateLimiter({ mostSubjects = MOST_SUBJECTS } = {}): LocalRateLimiter {
  const byName = new Map<string, Subjects>()

  function subjectsOf(name: string, windowMs: number): Subjects {
    const known = byName.get(name)
    if (known) return known
    const subjects: Subjects = { windowMs, bySubject: new Map(), hand: null }
    byName.set(name, subjects)
    return subjects
  }

  function add(subjects: Subjects, subject: string, requests: Requests | null, now: number): Requests {
    if (requests instanceof SlidingLog) {
      requests.add(now)
      return requests
    }
    if (requests === null && subjects.bySubject.size >= mostSubjects) evictOne(subjects, now)
    const added = requests === null ? now : SlidingLog.of(requests, now)
    subjects.bySubject.set(subject, added)
    return added
  }

  return {
    take(name, subject, quota, now) {
      const subjects = subjectsOf(name, quota.windowSeconds * 1000)
      const requests = countedAt(now, subjects, subject)
      const admitted = describe(requests).size < quota.quota
      return verdictOn(admitted, describe(admitted ? add(subjects, subject, requests, now) : requests), quota, now)
    },

    peek(name, subject, quota, now) {
      const subjects = byName.get(name)
      const counted = subjects === undefined ? nothing : describe(countedAt(now, subjects, subject))
      return verdictOn(counted.size < quota.quota, counted, quota, now)
    },

    giveBack(name, subject, _quota, takenAt) {
      const bySubject = byName.get(name)?.bySubject
      const requests = bySubject?.get(subject)
      if (requests instanceof SlidingLog) requests.remove(takenAt)
      else if (requests === takenAt) bySubject?.delete(subject)
    },

    clear(name, subject, _quota, now) {
      const subjects = byName.get(name)
      if (subjects !== undefined) countedAt(now, subjects, subject, 0)
    },

    sweep(now) {
      for (const subjects of byName.values()) {
        for (const subject of subjects.bySubject.keys()) countedAt(now, subjects, subject)
        if (subjects.bySubject.size < mostSubjects) subjects.hand = null
      }
    },

    async close() {},

    get size() {
      let size = 0
      for (const { bySubject } of byName.values()) size += bySubject.size
      return size
    },
  }
}

/** Forgets the requests of a subject that left the window. Returns the others; null when there are none. */
function countedAt(
  now: number,
  { bySubject, windowMs }: Subjects,
  subject: string,
  forMs: number = windowMs,
): Requests | null {
  const stored = bySubject.get(subject)
  if (stored === undefined) return null
  const counted = forgetBefore(stored, now, forMs)
  if (counted === null) bySubject.delete(subject)
  else if (counted !== stored) bySubject.set(subject, counted)
  return counted
}

function forgetBefore(requests: Requests, now: number, windowMs: number): Requests | null {
  if (typeof requests === 'number') {
    if (now >= requests + windowMs) return null
    return requests <= now + BELIEVABLE_SKEW ? requests : now
  }
  requests.forgetBefore(now, windowMs)
  if (requests.size > 1) return requests
  return requests.size === 1 ? requests.oldest : null
}

function describe(requests: Requests | null): Counted {
  if (requests === null) return nothing
  return typeof requests === 'number' ? { size: 1, oldest: requests } : requests
}

function evictOne(subjects: Subjects, now: number): void {
  let fewest = Number.POSITIVE_INFINITY
  let loser: string | undefined
  for (let candidate = 0; candidate < EVICTION_CANDIDATES; candidate++) {
    subjects.hand ??= subjects.bySubject.entries()
    const next = subjects.hand.next()
    if (next.done) {
      subjects.hand = null
      continue
    }
    const [subject, requests] = next.value
    const { size } = describe(forgetBefore(requests, now, subjects.windowMs))
    if (size < fewest) {
      fewest = size
      loser = subject
    }
  }
  if (loser !== undefined) subjects.bySubject.delete(loser)
}
