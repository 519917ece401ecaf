import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLocalRateLimiter } from './local-rate-limiter.ts'
import type { Quota, Verdict } from './rate-limiter.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = 1_700_000_000_000
const TEN: Quota = { quota: 10, windowSeconds: 3600 }

test('D15: of 100 requests at limit 10 exactly 10 pass, and the refused ones do not count', () => {
  const limiter = createLocalRateLimiter()
  const admitted = Array.from({ length: 100 }, (_, i) => limiter.take('resend', 'a', TEN, START + i)).filter(
    (v) => v.admitted,
  )
  assert.deepEqual(
    admitted.map(({ remaining }) => remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  )
  // The one of START leaves: one unit is back, whatever was refused meanwhile.
  assert.equal(limiter.take('resend', 'a', TEN, START + HOUR).admitted, true)
  assert.equal(limiter.take('resend', 'a', TEN, START + HOUR).admitted, false)
})

test('D16: ten at the end of an hour leave no room for ten at the start of the next', () => {
  const limiter = createLocalRateLimiter()
  for (let i = 0; i < 10; i++) assert.ok(limiter.take('resend', 'a', TEN, START + HOUR - 1000).admitted)
  for (let i = 0; i < 10; i++) assert.ok(!limiter.take('resend', 'a', TEN, START + HOUR + 1000).admitted)
})

test('a unit comes back exactly at the end of its window, not a millisecond before', () => {
  const limiter = createLocalRateLimiter()
  const one = { quota: 1, windowSeconds: 60 }
  assert.deepEqual(limiter.take('resend', 'a', one, START), { admitted: true, remaining: 0, resetSeconds: 60 })
  assert.deepEqual(limiter.take('resend', 'a', one, START + 59_999), { admitted: false, remaining: 0, resetSeconds: 1 })
  assert.deepEqual(limiter.take('resend', 'a', one, START + 60_000), { admitted: true, remaining: 0, resetSeconds: 60 })
})

test('a peek tells what a take would, and counts nothing', () => {
  const limiter = createLocalRateLimiter()
  assert.deepEqual(limiter.peek('resend', 'a', TEN, START), { admitted: true, remaining: 10, resetSeconds: 3600 })
  assert.equal(limiter.size, 0)
  for (let i = 0; i < 10; i++) limiter.take('resend', 'a', TEN, START)
  assert.deepEqual(limiter.peek('resend', 'a', TEN, START + 1), { admitted: false, remaining: 0, resetSeconds: 3600 })
  assert.deepEqual(limiter.peek('resend', 'a', TEN, START + HOUR), {
    admitted: true,
    remaining: 10,
    resetSeconds: 3600,
  })
})

test('what is given back can be taken again, once', () => {
  const limiter = createLocalRateLimiter()
  for (let i = 0; i < 10; i++) limiter.take('resend', 'a', TEN, START + i)
  limiter.giveBack('resend', 'a', TEN, START + 4)
  limiter.giveBack('resend', 'a', TEN, START + 4)
  limiter.giveBack('resend', 'a', TEN, START + 99)
  limiter.giveBack('resend', 'nobody', TEN, START)
  assert.equal(limiter.take('resend', 'a', TEN, START + 20).admitted, true)
  assert.equal(limiter.take('resend', 'a', TEN, START + 20).admitted, false)
})

test('subjects and names are counted apart', () => {
  const limiter = createLocalRateLimiter()
  const one = { quota: 1, windowSeconds: 60 }
  for (const name of ['resend', 'verify']) {
    for (const subject of ['a', 'b', '__proto__', '']) assert.ok(limiter.take(name, subject, one, START).admitted)
  }
  assert.equal(limiter.size, 8)
  assert.equal(limiter.take('verify', '__proto__', one, START).admitted, false)
})

test('G13: a clock that goes back an hour, a day or a year unlocks nothing', () => {
  for (const back of [1, HOUR, DAY, 365 * DAY]) {
    const limiter = createLocalRateLimiter()
    for (let i = 0; i < 10; i++) limiter.take('resend', 'a', TEN, START)
    for (const elapsed of [0, 1000, HOUR - 1]) {
      limiter.sweep(START - back + elapsed)
      assert.equal(
        limiter.take('resend', 'a', TEN, START - back + elapsed).admitted,
        false,
        `${back} back, ${elapsed} on`,
      )
    }
  }
})

test('G13: an hour back and then right again, the count is what it was', () => {
  const limiter = createLocalRateLimiter()
  for (let i = 0; i < 9; i++) limiter.take('resend', 'a', TEN, START)
  assert.equal(limiter.take('resend', 'a', TEN, START - HOUR).admitted, true)
  assert.equal(limiter.take('resend', 'a', TEN, START - 1).admitted, false)
  assert.deepEqual(limiter.take('resend', 'a', TEN, START), { admitted: true, remaining: 0, resetSeconds: 3600 })
  assert.equal(limiter.take('resend', 'a', TEN, START + HOUR - 1).admitted, false)
})

test('G13: a clock once a year ahead locks nobody out for longer than a window', () => {
  const limiter = createLocalRateLimiter()
  for (let i = 0; i < 10; i++) limiter.take('resend', 'a', TEN, START + 365 * DAY)
  assert.deepEqual(limiter.take('resend', 'a', TEN, START), { admitted: false, remaining: 0, resetSeconds: 3600 })
  assert.equal(limiter.take('resend', 'a', TEN, START + HOUR - 1).admitted, false)
  assert.equal(limiter.take('resend', 'a', TEN, START + HOUR).admitted, true)
})

/** The same rules, with nothing but a list of times. */
function naiveModel() {
  let times: number[] = []
  const look = ({ quota, windowSeconds }: Quota, now: number): Verdict => {
    times = times.filter((time) => now < time + windowSeconds * 1000)
    if (times.some((time) => time > now + DAY)) times = times.map((time) => Math.min(time, now))
    const resetSeconds = times.length
      ? Math.ceil((Math.min(...times) + windowSeconds * 1000 - now) / 1000)
      : windowSeconds
    return { admitted: times.length < quota, remaining: Math.max(0, quota - times.length), resetSeconds }
  }
  return {
    peek: look,
    take(quota: Quota, now: number): Verdict {
      const { admitted } = look(quota, now)
      if (admitted) times.push(now)
      return { ...look(quota, now), admitted }
    },
    giveBack(takenAt: number) {
      const place = times.indexOf(takenAt)
      if (place >= 0) times.splice(place, 1)
    },
  }
}

test('it agrees with a naive model through any takes, peeks, give-backs, sweeps and turns of the clock', () => {
  const step = fc.record({
    act: fc.constantFrom('take', 'take', 'take', 'take', 'peek', 'giveBack', 'sweep'),
    turn: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 4000 }) },
      { weight: 1, arbitrary: fc.constantFrom(-500, -5000, -HOUR, HOUR, -2 * DAY, 2 * DAY) },
    ),
    subject: fc.constantFrom('a', 'b'),
  })
  const quota = fc.record({ quota: fc.integer({ min: 0, max: 9 }), windowSeconds: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(quota, fc.array(step, { maxLength: 150 }), (limit, steps) => {
      const limiter = createLocalRateLimiter()
      const models = { a: naiveModel(), b: naiveModel() }
      let now = START
      for (const { act, turn, subject } of steps) {
        const takenAt = now
        now += turn
        const model = models[subject as 'a' | 'b']
        if (act === 'take') assert.deepEqual(limiter.take('x', subject, limit, now), model.take(limit, now))
        if (act === 'peek') assert.deepEqual(limiter.peek('x', subject, limit, now), model.peek(limit, now))
        if (act === 'sweep') {
          limiter.sweep(now)
          for (const each of Object.values(models)) each.peek(limit, now)
        }
        if (act === 'giveBack') {
          limiter.giveBack('x', subject, limit, takenAt)
          model.giveBack(takenAt)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('a log that has turned round keeps every time when it grows', () => {
  const limit = { quota: 50, windowSeconds: 1 }
  for (let turned = 0; turned < 8; turned++) {
    const limiter = createLocalRateLimiter()
    const model = naiveModel()
    // One every 300 ms turns the ring round, then a burst makes it grow, then it runs empty.
    const calm = Array.from({ length: turned + 4 }, (_, i) => START + 300 * i)
    const burst = Array.from({ length: 60 }, (_, i) => calm.at(-1)! + 3 * i)
    const end = Array.from({ length: 60 }, (_, i) => calm.at(-1)! + 900 + 7 * i)
    for (const now of [...calm, ...burst, ...end]) {
      assert.deepEqual(limiter.take('x', 'a', limit, now), model.take(limit, now))
    }
  }
})

test('D16: no window of any alignment ever holds more than the quota', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 20, maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), gaps, (quota, all) => {
      const limiter = createLocalRateLimiter()
      let now = START
      const admitted = all
        .map((gap) => (now += gap))
        .filter((time) => limiter.take('x', 'a', { quota, windowSeconds: 2 }, time).admitted)
      for (let i = quota; i < admitted.length; i++) assert.ok(admitted[i]! - admitted[i - quota]! >= 2000)
    }),
  )
})

test('a sweep forgets those of whom nothing is counted, and nobody else', () => {
  const limiter = createLocalRateLimiter()
  const one = { quota: 1, windowSeconds: 60 }
  for (let i = 0; i < 1000; i++) limiter.take('resend', `${i}`, one, START + i)
  limiter.take('verify', 'a', { quota: 1, windowSeconds: 3600 }, START)
  limiter.sweep(START + 60_000 + 499)
  assert.equal(limiter.size, 501)
  assert.equal(limiter.take('resend', '500', one, START + 60_499).admitted, false)
  limiter.sweep(START + HOUR)
  assert.equal(limiter.size, 0)
})

test('a flood of subjects stays within the cap, and does not unlock who had used up a quota', () => {
  const limiter = createLocalRateLimiter({ mostSubjects: 100 })
  const two = { quota: 2, windowSeconds: 3600 }
  for (let i = 0; i < 2; i++) limiter.take('sign-in', 'locked', two, START)
  for (let i = 0; i < 10_000; i++) assert.ok(limiter.take('sign-in', `flood ${i}`, two, START + i).admitted)
  assert.equal(limiter.size, 100)
  assert.equal(limiter.take('sign-in', 'locked', two, START + 10_000).admitted, false)
  limiter.take('verify', 'a', two, START)
  assert.equal(limiter.size, 101)
})
