import type { Clock } from '../../server/core/clock.ts'

/** A clock that stands still until a test turns it. */
export interface ManualClock extends Clock {
  /** Turns it by so many milliseconds; negative turns it back. */
  advance(ms: number): void
  /** Turns it to this time, in epoch milliseconds. */
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
