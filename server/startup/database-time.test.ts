import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts'
import { type DatabaseTime, followDatabaseTime } from './database-time.ts'

const t0 = Date.UTC(2026, 0, 15, 12)
const minute = 60_000

interface Fixture {
  readonly time: DatabaseTime
  /** This machine's clock. */
  readonly wall: ManualClock
  /** The logged warnings. */
  readonly warnings: unknown[]
  /** Lets time pass on every clock. */
  pass(ms: number): void
  /** Sets this machine's clock. */
  turn(ms: number): void
  /** Fails over to a database with a different time. */
  turnDatabase(ms: number): void
  readonly database: {
    tripMs: number
    /** The request's share of the round trip. */
    there: number
    failing: boolean
    readonly now: () => number
  }
}

interface FixtureOptions {
  readonly offMs?: number
  readonly tripMs?: number
  /** Whether the database has a clock. */
  readonly ownTime?: boolean
  /** The latest time stored in it. */
  readonly latest?: number
  /** When a server last ran on it. */
  readonly lastSeen?: number
}

/** A machine whose clock is off, and a database with latency. */
async function fixtureWith({
  offMs = 0,
  tripMs = 0,
  ownTime = true,
  latest,
  lastSeen,
}: FixtureOptions = {}): Promise<Fixture> {
  const wall = manualClock(t0 + offMs)
  const theirs = manualClock(t0)
  let elapsed = 12_345.678
  const warnings: unknown[] = []
  function pass(ms: number): void {
    wall.advance(ms)
    theirs.advance(ms)
    elapsed += ms
  }
  const database = { tripMs, there: 0.5, failing: false, now: theirs.now }
  const storage = {
    async now() {
      if (database.failing) throw new Error('away')
      pass(database.tripMs * database.there)
      const answer = theirs.now()
      pass(database.tripMs * (1 - database.there))
      return ownTime ? answer : null
    },
    latestTime: async () => latest ?? null,
  }
  const note = (said: unknown) => void warnings.push(said)
  const time = await followDatabaseTime(
    storage,
    { warn: note, error: note },
    { wall, elapsed: () => elapsed },
    lastSeen,
  )
  return {
    time,
    wall,
    warnings,
    pass,
    turn: (ms) => wall.advance(ms),
    turnDatabase: (ms) => theirs.advance(ms),
    database,
  }
}

test('uses the time of the database and warns if the system clock is off', async () => {
  for (const offMs of [5 * minute, -5 * minute]) {
    const { time, warnings, pass, database } = await fixtureWith({ offMs })
    assert.equal(time.clock.now(), t0)
    pass(10 * minute)
    assert.equal(time.clock.now(), database.now())
    assert.deepEqual(warnings, [{ differenceMs: -offMs }])
    await time.measure()
    assert.equal(warnings.length, 1, 'once')
    time.stop()
  }
})

test('takes the middle of the round trip, and keeps an offset within its accuracy', async () => {
  const { time, database, pass, warnings } = await fixtureWith({ tripMs: 80 })
  assert.equal(time.clock.now(), database.now())
  pass(minute)
  database.tripMs = 1_400
  for (const there of [0, 1]) {
    database.there = there
    await time.measure()
    assert.equal(time.clock.now(), database.now())
  }
  assert.deepEqual(warnings, [])
  time.stop()
})

test('returns whole milliseconds', async () => {
  const { time, pass } = await fixtureWith()
  for (const ms of [0.25, 0.4, 1_000.3]) {
    pass(ms)
    assert.ok(Number.isSafeInteger(time.clock.now()))
  }
  time.stop()
})

test('is not affected by changes of the system clock', async () => {
  const { time, database, pass, turn } = await fixtureWith()
  for (const ms of [60 * minute, -60 * minute, 365 * 24 * 60 * minute, -365 * 24 * 60 * minute]) {
    turn(ms)
    assert.equal(time.clock.now(), database.now())
    pass(1_000)
    assert.equal(time.clock.now(), database.now())
    await time.measure()
    assert.equal(time.clock.now(), database.now())
  }
  time.stop()
})

test('follows the time of another database after a failover', async () => {
  const { time, database, turnDatabase, warnings } = await fixtureWith()
  turnDatabase(2_000)
  assert.equal(time.clock.now(), database.now() - 2_000)
  await time.measure()
  assert.equal(time.clock.now(), database.now())
  assert.deepEqual(warnings, [{ differenceMs: 2_000 }])
  time.stop()
})

test('measures every 30 s, and continues from the last measurement while the database is unavailable', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const { time, database, turnDatabase, warnings } = await fixtureWith()
    turnDatabase(500)
    mock.timers.tick(30_000)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(time.clock.now(), database.now())
    database.failing = true
    turnDatabase(500)
    mock.timers.tick(30_000)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(time.clock.now(), database.now() - 500)
    assert.equal(warnings.length, 1)
    time.stop()
    database.failing = false
    mock.timers.tick(60_000)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(time.clock.now(), database.now() - 500, 'stopped')
  } finally {
    mock.timers.reset()
  }
})

test('uses a steady clock of the machine if the database has no clock', async () => {
  const { time, wall, turn, pass, warnings } = await fixtureWith({ ownTime: false })
  turn(minute)
  assert.equal(time.clock.now(), t0 + minute)
  turn(-minute)
  pass(1_000)
  assert.deepEqual([time.clock.now(), time.wall.now()], [t0 + minute + 990, wall.now()])
  assert.deepEqual(warnings, [{ aheadMs: minute }])
})

test('continues after a restart from the latest known time of the last server or in the database', async () => {
  for (const known of [
    { latest: t0 + minute },
    { lastSeen: t0 + minute },
    { lastSeen: t0 + 1, latest: t0 + minute },
    { lastSeen: t0 + minute, latest: t0 + 1 },
  ]) {
    const { time, pass, warnings } = await fixtureWith({ ownTime: false, ...known })
    pass(100)
    assert.deepEqual([time.clock.now(), warnings], [t0 + minute + 99, [{ aheadMs: minute }]])
  }
})

test('ignores all other times if the database has a clock', async () => {
  const { time } = await fixtureWith({ latest: t0 + minute, lastSeen: t0 + minute })
  assert.equal(time.clock.now(), t0)
  assert.equal(time.wall, time.clock)
  time.stop()
})

test('rejects if the database fails at startup', async () => {
  const storage = { now: () => Promise.reject(new Error('away')), latestTime: async () => null }
  await assert.rejects(followDatabaseTime(storage, { warn: () => {}, error: () => {} }), /away/)
})
