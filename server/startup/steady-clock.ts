import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'

/** The clocks of this machine. */
export interface OwnClocks {
  /** The system clock, which jumps when it is set. */
  readonly wall: Clock
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number
}

/** The largest plausible difference from the wall clock: a wrong time zone, not a wrong year. */
const believableMs = 24 * 3_600_000
/** The smallest difference that is logged. */
const notableMs = 1_000
/** How much slower it runs while it is ahead: it makes up for an hour in 100 hours. */
const slewRate = 0.01

/**
 * A clock that does not go back when the wall clock does. It counts elapsed time from the wall clock's reading at startup
 * and follows every jump ahead (suspend, a late NTP sync). After a step back it runs 1 % slower until the wall clock catches up.
 *
 * It goes back in one case: after a jump ahead of more than a day, when the wall clock returns. The wall clock was then
 * evidently wrong in between.
 * @param latest the latest time known from before, epoch milliseconds. The clock starts there when the wall clock is behind
 * it by at most a day, so that a restart does not bring back what has expired.
 */
export function createSteadyClock(
  { wall, elapsed }: OwnClocks,
  latest: number | null,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): Clock {
  let at = elapsed()
  /** This clock's time minus the elapsed time. */
  let offset = startOf(wall.now(), latest, logger) - at
  /** The offset before a jump ahead that may have been a mistake. */
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
      'system clock is more than a day behind the previous server; using it anyway, check the clock',
    )
    return wallNow
  }
  if (aheadMs >= notableMs) {
    logger.warn(
      { aheadMs },
      'system clock is behind the previous server; continuing from the time of the previous server',
    )
  }
  return wallNow + Math.max(0, aheadMs)
}
