import type { ManagedRateLimiter, Quota, Verdict } from '../rate-limiter.ts'

export const HOUR = 3_600_000
export const START = 1_700_000_000_000
export const TEN: Quota = { quota: 10, windowSeconds: 3600 }

/** What the suite needs to know about a kind of limiter. */
export interface LimiterKind {
  readonly name: string
  /** Why it cannot be tested here; false where it can. */
  readonly skip?: string | false
  /** The limiters of two processes that share their counts; where nothing is shared, the same one twice. */
  readonly limiters: () => readonly [ManagedRateLimiter, ManagedRateLimiter]
  /** How often the comparison with the model runs. */
  readonly modelRuns: number
}

/** Each test uses a separate subject. */
let subjects = 0
export const freshSubject = () => `subject ${++subjects} of ${process.pid}`

export const takeAtOnce = (limiters: readonly ManagedRateLimiter[], count: number, subject: string, now: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => limiters[i % limiters.length]!.take('resend', subject, TEN, now)))

export const remainingOf = (verdicts: readonly Verdict[]) =>
  verdicts
    .filter(({ admitted }) => admitted)
    .map(({ remaining }) => remaining)
    .sort((a, b) => a - b)
