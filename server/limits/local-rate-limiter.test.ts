import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { createLocalRateLimiter } from './local-rate-limiter.ts'
import { SlidingLog } from './sliding-log.ts'
import { HOUR, START } from './suite/limiter-kind.testkit.ts'
import { limiterSuite } from './suite/limiter-suite.testkit.ts'
import { naiveModel } from './suite/naive-model.testkit.ts'

const kept = createLocalRateLimiter()
limiterSuite({ name: 'local', limiters: () => [kept, kept], modelRuns: sampleSize(500) })

test('keeps every time when a wrapped ring buffer grows', () => {
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

test('admits no more than the quota in any window (threat D16)', () => {
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

test('sweeps only subjects without counted requests', () => {
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

/** How many logs are held. Counted until two counts agree, because a register may hold one a moment longer. */
function heldLogs(): number {
  for (let last = -1; ; ) {
    const count = queryObjects(SlidingLog, { format: 'count' }) as number
    if (count === last) return count
    last = count
  }
}

test('holds nothing of subjects that it swept', () => {
  const limiter = createLocalRateLimiter({ mostSubjects: 1000 })
  const two = { quota: 2, windowSeconds: 60 }
  const before = heldLogs()
  for (let round = 0; round < 4; round++) {
    // In the second round subjects are evicted; in the others there is room.
    const now = START + round * HOUR
    for (let i = 0; i < (round === 1 ? 1500 : 900); i++) {
      for (let request = 0; request < 2; request++) limiter.take('resend', `${round} ${i}`, two, now)
    }
    limiter.sweep(now + 60_000)
    assert.equal(limiter.size, 0)
    assert.equal(heldLogs(), before)
  }
})

test('holds no log for a subject with one request', () => {
  const limiter = createLocalRateLimiter()
  const two = { quota: 2, windowSeconds: 60 }
  const before = heldLogs()
  for (let i = 0; i < 100; i++) limiter.take('resend', `${i}`, two, START)
  assert.equal(heldLogs(), before)
  for (let i = 0; i < 100; i++) limiter.take('resend', `${i}`, two, START + 59_999)
  assert.equal(heldLogs(), before + 100)
  limiter.sweep(START + 60_000)
  assert.equal(limiter.size, 100)
  assert.equal(heldLogs(), before)
})

test('stays within the cap in a flood of subjects, without unlocking a used up quota', () => {
  const limiter = createLocalRateLimiter({ mostSubjects: 100 })
  const two = { quota: 2, windowSeconds: 3600 }
  for (let i = 0; i < 2; i++) limiter.take('sign-in', 'locked', two, START)
  for (let i = 0; i < 10_000; i++) assert.ok(limiter.take('sign-in', `flood ${i}`, two, START + i).admitted)
  assert.equal(limiter.size, 100)
  assert.equal(limiter.take('sign-in', 'locked', two, START + 10_000).admitted, false)
  limiter.take('verify', 'a', two, START)
  assert.equal(limiter.size, 101)
})

test('evicts a subject with an expired quota before one that just used it up', () => {
  const limiter = createLocalRateLimiter({ mostSubjects: 2 })
  const two = { quota: 2, windowSeconds: 60 }
  const take = (subject: string, now: number) => limiter.take('sign-in', subject, two, now).admitted
  take('locked', START + 1)
  for (let i = 0; i < 2; i++) take('long gone', START)
  const now = START + 60_000
  assert.ok(take('locked', now))
  assert.ok(take('new', now))
  assert.equal(take('locked', now), false)
})

test('evicts no subject for another request of one that it holds', () => {
  const limiter = createLocalRateLimiter({ mostSubjects: 2 })
  const two = { quota: 2, windowSeconds: 60 }
  for (const subject of ['a', 'b', 'b']) limiter.take('sign-in', subject, two, START)
  assert.equal(limiter.peek('sign-in', 'a', two, START).remaining, 1)
})

test('leaves nothing, not less, of a quota that was lowered', () => {
  const limiter = createLocalRateLimiter()
  for (let i = 0; i < 3; i++) limiter.take('sign-in', 'a', { quota: 3, windowSeconds: 60 }, START)
  const lowered = { admitted: false, remaining: 0, resetSeconds: 60 }
  assert.deepEqual(limiter.peek('sign-in', 'a', { quota: 1, windowSeconds: 60 }, START), lowered)
})
