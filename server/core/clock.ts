/** Where the service reads the time. Read once an operation and passed on, so that all its rows agree. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z, a whole number. */
  now(): number
}

/** The machine's clock. Tests turn `manualClock` (`test/support/manual-clock.ts`) instead. */
export const systemClock: Clock = { now: () => Date.now() }
