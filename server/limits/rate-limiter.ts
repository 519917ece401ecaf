/** A number of requests in any window of this length. */
export interface Quota {
  readonly quota: number
  readonly windowSeconds: number
}

/** The result of a limiter for one request. */
export interface Verdict {
  readonly admitted: boolean
  /** How many more requests would be admitted now; after a take, this one is counted. */
  readonly remaining: number
  /** Seconds, rounded up, until the oldest counted request leaves the window; the length of the window when none is counted. */
  readonly resetSeconds: number
}

/**
 * Counts requests per limit and subject over a sliding window, exact at its boundary: a request at `t` counts until just
 * before `t + window`. A limit's name always comes with the same window; the quota may differ from call to call.
 * Limiters that use another process return promises, the one in this process does not.
 */
export interface RateLimiter {
  /**
   * Admits and counts a request, or refuses it without counting.
   *
   * @param name the limit or budget, `resend`
   * @param subject what it is counted for: an address, a recipient
   * @param now epoch milliseconds
   */
  take(name: string, subject: string, quota: Quota, now: number): Verdict | Promise<Verdict>
  /** Whether a request would be admitted; counts nothing. */
  peek(name: string, subject: string, quota: Quota, now: number): Verdict | Promise<Verdict>
  /** Removes a request that was counted at `takenAt`, because its action did not happen. */
  giveBack(name: string, subject: string, quota: Quota, takenAt: number): void | Promise<void>
  /** Forgets everything counted up to and including `now`. */
  clear(name: string, subject: string, quota: Quota, now: number): void | Promise<void>
}

/** A limiter with the life cycle that the service manages. */
export interface ManagedRateLimiter extends RateLimiter {
  /** Whether it currently counts together with other processes; absent when that never changes. */
  readonly isShared?: boolean
  /** Removes expired counts from this process's memory; called every minute or so. */
  sweep(now: number): void
  /** Closes its connections. */
  close(): Promise<void>
}

/** The requests counted for one subject: how many, and the time of the oldest in epoch milliseconds, if there is one. */
export interface Counted {
  readonly size: number
  readonly oldest: number
}

/** The verdict for a subject with these counted requests. */
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
