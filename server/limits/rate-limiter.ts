/** So many in any stretch of so many seconds. */
export interface Quota {
  readonly quota: number
  readonly windowSeconds: number
}

/** What a limiter says of one request. */
export interface Verdict {
  readonly admitted: boolean
  /** How many more would be admitted now; after a take, with this one counted. */
  readonly remaining: number
  /** Whole seconds, rounded up, until the oldest counted one leaves the window and a unit comes back; the whole window when none is counted. */
  readonly resetSeconds: number
}

/**
 * Counts requests per limit and subject over a sliding window, exact at its boundary: what was counted at `t` counts
 * until just before `t + window` and no longer. A limit's name always comes with the same window;
 * a quota may grow and shrink from call to call.
 * Limiters that ask another process answer with promises, the one in this process at once.
 */
export interface RateLimiter {
  /**
   * Counts one if there is room; one refused is not counted.
   *
   * @param name the limit or budget, `resend`
   * @param subject whom it is counted for: an address, a recipient
   * @param now epoch milliseconds
   */
  take(name: string, subject: string, quota: Quota, now: number): Verdict | Promise<Verdict>
  /** Whether one would be admitted; counts nothing. */
  peek(name: string, subject: string, quota: Quota, now: number): Verdict | Promise<Verdict>
  /** Takes back one that was counted at `takenAt`, if it still is: what it was taken for did not happen. */
  giveBack(name: string, subject: string, quota: Quota, takenAt: number): void | Promise<void>
  /** Forgets everything counted up to and including `now`. */
  clear(name: string, subject: string, quota: Quota, now: number): void | Promise<void>
}

/** A limiter as the service keeps it. */
export interface ManagedRateLimiter extends RateLimiter {
  /** Whether it counts together with other processes now; absent where that never changes. */
  readonly isShared?: boolean
  /** Forgets in this process what is past. To be called every minute or so. */
  sweep(now: number): void
  /** Lets go of what it holds open. */
  close(): Promise<void>
}

/** What is counted for one subject: how many, and since when, in epoch milliseconds; any time when nothing is. */
export interface Counted {
  readonly size: number
  readonly oldest: number
}

/** What to say when so much is counted. */
export function verdictOn(
  admitted: boolean,
  { size, oldest }: Counted,
  { quota, windowSeconds }: Quota,
  now: number,
): Verdict {
  if (size === 0) return { admitted, remaining: quota, resetSeconds: windowSeconds }
  const leavesAt = oldest + windowSeconds * 1000
  return { admitted, remaining: Math.max(0, quota - size), resetSeconds: Math.ceil((leavesAt - now) / 1000) }
}
