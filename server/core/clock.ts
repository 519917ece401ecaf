/** The time of the service. Read once per operation, so that all its rows have the same time. */
export interface Clock {
  /** Whole milliseconds since 1970-01-01T00:00Z. */
  now(): number
}

/** The clock of the machine. Tests use `manualClock` (`test/support/manual-clock.ts`). */
export const systemClock: Clock = { now: () => Date.now() }

/**
 * Stored times that are further ahead come from a clock that was wrong: after a step back this clock is up to a day ahead of
 * the wall clock (`steady-clock.ts`).
 */
export const clockMarginMs = 25 * 60 * 60_000
