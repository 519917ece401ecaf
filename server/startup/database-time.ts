import type { FastifyBaseLogger } from 'fastify'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Storage } from '../storage/storage.ts'
import { createSteadyClock, type OwnClocks } from './steady-clock.ts'

/** The time of a deployment. */
export interface DatabaseTime {
  /** The service's clock: the database's time, or on SQLite a clock that does not go back. */
  readonly clock: Clock
  /** The time shared with other systems: the same on PostgreSQL, the wall clock of this machine on SQLite. */
  readonly wall: Clock
  /** Measures the difference to the database's time now. */
  measure(): Promise<void>
  stop(): void
}

const everyMs = 30_000
/** The smallest difference that is logged. */
const notableMs = 1_000

/** The clocks of this process. */
export const ownClocks: OwnClocks = { wall: systemClock, elapsed: () => performance.now() }

/**
 * All machines use the database's time (threat G14). Each process measures it periodically and counts elapsed time in
 * between, so a wrong or changed system clock has no effect (threat G13). If the database has no clock, the service uses a
 * clock of this machine that does not go back (`steady-clock.ts`).
 * @param lastSeen when a server last ran on this database, epoch milliseconds; null if unknown
 */
export async function followDatabaseTime(
  storage: Pick<Storage, 'now' | 'latestTime'>,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  { wall, elapsed }: OwnClocks = ownClocks,
  lastSeen: number | null = null,
): Promise<DatabaseTime> {
  /** The database's time minus the elapsed time; null if the database has no clock. */
  let offset: number | null = null
  let loggedDifference = 0

  const now = (): number => Math.round(elapsed() + (offset ?? 0))

  async function measure(): Promise<void> {
    const asked = elapsed()
    const theirs = await storage.now()
    if (theirs === null) return
    const answered = elapsed()
    // Valid for the middle of the round trip, accurate to half of it. An offset within that accuracy is kept.
    const measured = theirs - (asked + answered) / 2
    if (offset === null || Math.abs(measured - offset) > (answered - asked) / 2) offset = measured
    const differenceMs = now() - wall.now()
    if (Math.abs(differenceMs - loggedDifference) < notableMs) return
    loggedDifference = differenceMs
    logger.warn({ differenceMs }, 'system clock differs from the database; using the time of the database')
  }

  await measure()
  if (offset === null) {
    const latest = Math.max(lastSeen ?? 0, (await storage.latestTime()) ?? 0)
    return { clock: createSteadyClock({ wall, elapsed }, latest, logger), wall, measure, stop() {} }
  }
  const timer = setInterval(() => {
    measure().catch((error) =>
      logger.warn({ err: error }, 'failed to read the time of the database; continuing from the last measurement'),
    )
  }, everyMs).unref()
  const clock = { now }
  return { clock, wall: clock, measure, stop: () => clearInterval(timer) }
}
