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

/** The clocks of this machine. */
export interface OwnClocks {
  /** The one that people set, and that jumps when they do. */
  readonly wall: Clock
  /** Milliseconds since some moment: it never jumps. */
  readonly elapsed: () => number
}

const everyMs = 30_000
/** A difference worth telling the operator of. */
const notableMs = 1_000

const ownClocks: OwnClocks = { wall: systemClock, elapsed: () => performance.now() }

/**
 * Many machines, one time: the database's decides (threat G14). Each process asks for it now and then, and counts on from
 * there by itself, so that a machine whose clock is wrong, or is turned, is right all the same (threat G13). Where the
 * database is this machine's, so is the time.
 */
export async function followDatabaseTime(
  storage: Pick<Storage, 'now'>,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  { wall, elapsed }: OwnClocks = ownClocks,
): Promise<DatabaseTime> {
  /** The database's time less the time elapsed; null where the database has none of its own. */
  let offset: number | null = null
  let toldDifference = 0

  const now = (): number => (offset === null ? wall.now() : Math.round(elapsed() + offset))

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
  const timer = setInterval(() => {
    measure().catch((error) => logger.warn({ err: error }, 'the database’s time could not be read: the last one holds'))
  }, everyMs).unref()
  return { clock: { now }, measure, stop: () => clearInterval(timer) }
}
