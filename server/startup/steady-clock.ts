import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'

/** The clocks of this machine. */
export interface OwnClocks {
  /** The one that people set, and that jumps when they do. */
  readonly wall: Clock
  /** Milliseconds since some moment: it never jumps. */
  readonly elapsed: () => number
}

/** How far ahead of the wall clock a time may be and still be believed: summer time, time zones, not a wrong year. */
const believableMs = 24 * 3_600_000
/** A difference worth a line in the log. */
const notableMs = 1_000
/** How much slower than time it runs while it is ahead: an hour is absorbed in 100 hours. */
const slewRate = 0.01

/**
 * A clock that never goes back when the wall clock does. It counts elapsed time from the wall clock's reading at startup. It
 * takes every jump ahead (suspend, a late NTP sync). After a step back it runs 1 % slower until the wall clock has caught up.
 *
 * It goes back in one case: a jump ahead of more than a day is undone when the wall clock returns to where it was, because
 * it was plainly wrong in between.
 * @param latest the latest time known from before, epoch milliseconds. The clock starts there when the wall clock is behind
 * it by at most a day, so that a restart does not bring back what has expired.
 */
export function createSteadyClock(
  { wall, elapsed }: OwnClocks,
  latest: number | null,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): Clock {
  let at = elapsed()
  /** This clock's time less the time elapsed. */
  let offset = startOf(wall.now(), latest, logger) - at
  /** What it was before a jump ahead that may have been a mistake. */
  let beforeJump: number | null = null
  let isAhead = offset + at - wall.now() >= notableMs
  let said = 0

  function follow(target: number): void {
    if (target - offset > believableMs) beforeJump ??= offset
    offset = target
    isAhead = false
  }

  function holdBack(target: number, passed: number): void {
    const aheadMs = Math.round(offset - target)
    if (beforeJump !== null && aheadMs > believableMs && target >= beforeJump - believableMs) {
      logger.error({ aheadMs }, 'system clock had jumped ahead by more than a day and is back; following it')
      beforeJump = null
      offset = target
      said = 0
      return
    }
    if (!isAhead && aheadMs >= notableMs) {
      isAhead = true
      logger.warn({ aheadMs }, 'system clock was set back; running 1 % slower until it has caught up')
    }
    offset = Math.max(target, offset - passed * slewRate)
    if (offset === target) isAhead = false
  }

  return {
    now() {
      const passed = elapsed() - at
      at += passed
      const target = wall.now() - at
      if (target >= offset) follow(target)
      else holdBack(target, passed)
      said = Math.max(said, Math.round(at + offset)) // Rounding alone never takes it back either.
      return said
    },
  }
}

function startOf(wallNow: number, latest: number | null, logger: Pick<FastifyBaseLogger, 'warn' | 'error'>): number {
  const aheadMs = (latest ?? wallNow) - wallNow
  if (aheadMs > believableMs) {
    logger.error(
      { aheadMs },
      'system clock is more than a day behind the previous server; using it all the same, check the clock',
    )
    return wallNow
  }
  if (aheadMs >= notableMs) {
    logger.warn({ aheadMs }, 'system clock is behind the previous server; continuing from the time of that one')
  }
  return wallNow + Math.max(0, aheadMs)
}
