import type { Clock } from '../../server/core/clock.ts'

/** A clock that changes only when a test sets it. */
export interface ManualClock extends Clock {
  /** Advances the clock; a negative number sets it back. */
  advance(ms: number): void
  /** Sets the clock, in epoch milliseconds. */
  set(ms: number): void
}

/** A clock standing at `start`, in epoch milliseconds. */
export function manualClock(start: number): ManualClock {
  let time = start
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
    set(ms) {
      time = ms
    },
  }
}
