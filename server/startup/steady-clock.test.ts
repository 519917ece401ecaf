import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../test/support/manual-clock.ts'
import { createSteadyClock } from './steady-clock.ts'

const t0 = Date.UTC(2026, 0, 15, 12)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** A steady clock with its log lines, and functions to let time pass and to set the wall clock. */
function start(latest: number | null = null) {
  const wall = manualClock(t0)
  let elapsed = 98_765.432_1
  const lines: string[] = []
  const note = (details: unknown, words?: string) => void lines.push(`${JSON.stringify(details)} ${words}`)
  const clock = createSteadyClock({ wall, elapsed: () => elapsed }, latest, { warn: note, error: note })
  return {
    ...{ wall, lines, clock, now: () => clock.now() },
    turn: (ms: number) => wall.advance(ms),
    pass(ms: number) {
      wall.advance(ms)
      elapsed += ms
    },
  }
}

test('equals the wall clock while that is not changed', () => {
  const { now, wall, pass, lines } = start()
  for (const ms of [0, 1, 0, 12, 1_000, hour, year]) {
    pass(ms)
    assert.equal(now(), wall.now())
  }
  assert.deepEqual(lines, [])
})

test('follows jumps ahead immediately', () => {
  const { now, wall, turn, lines } = start()
  for (const ms of [1, minute, hour, 3 * day]) {
    turn(ms)
    assert.equal(now(), wall.now())
  }
  assert.deepEqual(lines, [])
})

test('runs 1 % slower after a step back until the wall clock catches up, and logs each step once', () => {
  const { now, wall, pass, turn, lines } = start()
  assert.equal(now(), t0)
  turn(-hour)
  assert.equal(now(), t0)
  pass(10 * minute)
  assert.equal(now(), t0 + 0.99 * 10 * minute)
  pass(90 * hour)
  assert.ok(now() > wall.now())
  pass(10 * hour)
  assert.equal(now(), wall.now())
  assert.deepEqual(lines, ['{"aheadMs":3600000} system clock was set back; running 1 % slower until it has caught up'])
  turn(-2_000)
  now()
  assert.equal(lines.length, 2)
})

test('stays ahead after an hour ahead and back, so that nothing becomes valid again', () => {
  const { now, pass, turn } = start()
  turn(hour)
  assert.equal(now(), t0 + hour)
  turn(-hour)
  pass(minute)
  assert.equal(now(), t0 + hour + 0.99 * minute)
})

test('continues after a step back of a year', () => {
  const { now, pass, turn } = start()
  turn(-year)
  pass(minute)
  assert.equal(now(), t0 + 0.99 * minute)
})

test('goes back after a jump ahead of a year is reverted', () => {
  const { now, wall, pass, turn, lines } = start()
  turn(year)
  assert.equal(now(), t0 + year)
  pass(minute)
  turn(-year)
  assert.equal(now(), wall.now())
  assert.match(
    lines.join('\n'),
    /^\{"aheadMs":31536000000\} system clock had jumped ahead by more than a day and is back/,
  )
  turn(-hour)
  pass(minute)
  assert.equal(now(), t0 + minute + 0.99 * minute, 'steps back are held as ever')
})

test('starts at the latest known time, at most a day ahead', () => {
  for (const [ahead, expected] of [
    [-hour, 0],
    [hour, hour],
    [day, day],
    [day + 1, 0],
    [year, 0],
  ] as const) {
    const { now, lines } = start(t0 + ahead)
    assert.equal(now(), t0 + expected)
    assert.equal(now(), t0 + expected)
    assert.equal(lines.length, ahead > 0 ? 1 : 0, 'logged once')
  }
})

test('never goes back, returns whole milliseconds and loses at most 1 % under changes of less than a day', () => {
  const step = fc.oneof(
    fc.double({ min: 0, max: 5_000, noNaN: true }).map((ms) => ({ pass: ms, turn: 0 })),
    fc.integer({ min: -hour, max: hour }).map((ms) => ({ pass: 0, turn: ms })),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, pass, turn, wall } = start()
      let before = clock.now()
      for (const { pass: ms, turn: by } of steps) {
        turn(by)
        pass(ms)
        const now = clock.now()
        assert.ok(Number.isSafeInteger(now))
        assert.ok(now >= before && now >= before + ms * 0.99 - 2 && now >= wall.now() - 1)
        before = now
      }
    }),
  )
})
