import type { FastifyBaseLogger } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import type { Storage } from './storage/storage.ts'

/** A clock that says what the database's does. */
export interface DatabaseTime {
  readonly clock: Clock
  /** Measures once more, now. */
  measure(): Promise<void>
  stop(): void
}

const everyMs = 30_000
/** A difference worth telling the operator of. */
const notableMs = 1_000

/**
 * Many machines, one time: the database's decides (threat G14). Each process measures how far its own clock is off, and
 * the service reads its own clock put right by that. Where the database is this machine's, so is the time.
 * @param own this machine's clock
 */
export async function followDatabaseTime(
  storage: Pick<Storage, 'now'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  own: Clock = systemClock,
): Promise<DatabaseTime> {
  let offset = 0

  async function measure(): Promise<void> {
    const asked = own.now()
    const theirs = await storage.now()
    if (theirs === null) return
    // As of the middle of the round trip.
    const measured = Math.round(theirs - (asked + own.now()) / 2)
    if (Math.abs(measured - offset) >= notableMs) {
      logger.warn({ offsetMs: measured }, 'this machine’s clock differs from the database’s, whose time counts')
    }
    offset = measured
  }

  await measure()
  const timer = setInterval(() => {
    measure().catch((error) => logger.warn({ err: error }, 'the database’s time could not be read: the last one holds'))
  }, everyMs).unref()
  return { clock: { now: () => own.now() + offset }, measure, stop: () => clearInterval(timer) }
}
