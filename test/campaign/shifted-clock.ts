import type { Clock } from '../../server/core/clock.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { followDatabaseTime } from '../../server/startup/database-time.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import { startSendingService } from '../support/delivery/sending-service.ts'
import { manualClock } from '../support/manual-clock.ts'
import type { TestService, TestServiceOptions } from '../support/service.ts'

/** A service on a machine whose wall clock is changed. */
export interface TurnedClock extends AsyncDisposable {
  /** The current service; a new one after each restart. */
  readonly service: TestService
  /** The wall clock. */
  readonly wall: Clock
  /** The time the service uses, epoch milliseconds. */
  now(): number
  /** Time that really passed, in milliseconds. */
  elapsed(): number
  /** Lets time pass. */
  pass(ms: number): void
  /** Sets the wall clock forward or back. */
  turn(ms: number): void
  /**
   * Ends the service and starts it again on the same database.
   * @param unseenMs how long before its end it last recorded the time; null when it never did
   */
  restart(unseenMs?: number | null): Promise<void>
}

const start = Date.UTC(2026, 0, 15, 12)

/** Starts a production service on this machine; on PostgreSQL it uses the database's time. */
export async function turnedClock(
  senders: () => NonNullable<TestServiceOptions['deploymentProviders']>,
  options: TestServiceOptions = {},
): Promise<TurnedClock> {
  const database = openTestDatabase()
  const masterKeys = generateMasterKeys(start)
  const wall = manualClock(start)
  let elapsed = 0
  const quiet = { warn: () => {}, error: () => {} }

  async function open(lastSeen: number | null) {
    const storage = await database.open()
    const time = await followDatabaseTime(storage, quiet, { wall, elapsed: () => elapsed }, lastSeen)
    const clocks = { clock: time.clock, wallClock: time.wall }
    const service = await startSendingService(senders(), { ...options, ...clocks, storage, database, masterKeys })
    return { service, time }
  }

  let opened = await open(null)

  async function close(): Promise<void> {
    opened.time.stop()
    await opened.service.close()
  }

  return {
    get service() {
      return opened.service
    },
    wall,
    now: () => opened.time.clock.now(),
    elapsed: () => elapsed,
    pass(ms) {
      wall.advance(ms)
      elapsed += ms
    },
    turn: (ms) => wall.advance(ms),
    async restart(unseenMs = 0) {
      const lastSeen = unseenMs === null ? null : opened.time.clock.now() - unseenMs
      await close()
      opened = await open(lastSeen)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await database.release()
    },
  }
}
