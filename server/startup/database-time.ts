import type { FastifyBaseLogger } from 'fastify'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Storage } from '../storage/storage.ts'
import { createSteadyClock, type OwnClocks } from './steady-clock.ts'

/** The time of a deployment. */
export interface DatabaseTime {
  /** What the service runs on: the database's time, or on SQLite a clock that never goes back. */
  readonly clock: Clock
  /** The time as other systems have it: the same on PostgreSQL, this machine's wall clock on SQLite. */
  readonly wall: Clock
  /** Measures once more, now. */
  measure(): Promise<void>
  stop(): void
}

const everyMs = 30_000
/** A difference worth telling the operator of. */
const notableMs = 1_000

/** The real ones. */
export const ownClocks: OwnClocks = { wall: systemClock, elapsed: () => performance.now() }

/**
 * Many machines, one time: the database's decides (threat G14). Each process asks for it now and then, and counts on from
 * there by itself, so that a machine whose clock is wrong, or is turned, is right all the same (threat G13). Where the
 * database has no time, the clock is this machine's, and does not go back (`steady-clock.ts`).
 * @param lastSeen when a server was last known to run here, epoch milliseconds; null when unknown
 */
export async function followDatabaseTime(
  storage: Pick<Storage, 'now' | 'latestTime'>,
  logger: Pick<FastifyBaseLogger, 'warn' | 'error'>,
  { wall, elapsed }: OwnClocks = ownClocks,
  lastSeen: number | null = null,
): Promise<DatabaseTime> {
  /** The database's time less the time elapsed; null where the database has none of its own. */
  let offset: number | null = null
  let toldDifference = 0

  const now = (): number => Math.round(elapsed() + (offset ?? 0))

  async function measure(): Promise<void> {
    const asked = elapsed()
    const theirs = await storage.now()
    if (theirs === null) return
    const answered = elapsed()
    // As of the middle of the round trip, and no more exact than half of it: what agrees that well stays as it is.
    const measured = theirs - (asked + answered) / 2
    if (offset === null || Math.abs(measured - offset) > (answered - asked) / 2) offset = measured
    const differenceMs = now() - wall.now()
    if (Math.abs(differenceMs - toldDifference) < notableMs) return
    toldDifference = differenceMs
    logger.warn({ differenceMs }, 'this machine’s clock differs from the database’s, whose time counts')
  }

  await measure()
  if (offset === null) {
    const latest = Math.max(lastSeen ?? 0, (await storage.latestTime()) ?? 0)
    return { clock: createSteadyClock({ wall, elapsed }, latest, logger), wall, measure, stop() {} }
  }
  const timer = setInterval(() => {
    measure().catch((error) => logger.warn({ err: error }, 'the database’s time could not be read: the last one holds'))
  }, everyMs).unref()
  const clock = { now }
  return { clock, wall: clock, measure, stop: () => clearInterval(timer) }
}
