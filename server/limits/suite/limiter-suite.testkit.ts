import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Quota } from '../rate-limiter.ts'
import { clearTests } from './clear.testkit.ts'
import { freshSubject, HOUR, type LimiterKind, remainingOf, START, TEN, takeAtOnce } from './limiter-kind.testkit.ts'
import { naiveModel } from './naive-model.testkit.ts'

const DAY = 24 * HOUR

/** What every limiter must pass. */
export function limiterSuite(kind: LimiterKind): void {
  describe(`${kind.name} limiter`, { skip: kind.skip || false }, () => {
    countingTests(kind)
    clockTests(kind)
    sharingTests(kind)
    clearTests(kind)
    modelTest(kind)
  })
}

function countingTests({ limiters }: LimiterKind): void {
  test('admits exactly 10 of 100 concurrent requests at limit 10, and does not count refused ones (threat D15)', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    const verdicts = await takeAtOnce([limiter], 100, subject, START)
    assert.deepEqual(remainingOf(verdicts), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const verdict of verdicts) assert.equal(verdict.resetSeconds, 3600)
    await takeAtOnce([limiter], 20, subject, START + HOUR - 1)
    assert.equal(remainingOf(await takeAtOnce([limiter], 20, subject, START + HOUR)).length, 10)
  })

  test('counts across the boundary of clock hours (threat D16)', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    assert.equal(remainingOf(await takeAtOnce([limiter], 10, subject, START + HOUR - 1000)).length, 10)
    assert.deepEqual(remainingOf(await takeAtOnce([limiter], 10, subject, START + HOUR + 1000)), [])
  })

  test('returns a unit exactly at the end of its window', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    const one = { quota: 1, windowSeconds: 60 }
    const take = (now: number) => limiter.take('verify', subject, one, now)
    assert.deepEqual(await take(START), { admitted: true, remaining: 0, resetSeconds: 60 })
    assert.deepEqual(await take(START + 59_999), { admitted: false, remaining: 0, resetSeconds: 1 })
    assert.deepEqual(await take(START + 60_000), { admitted: true, remaining: 0, resetSeconds: 60 })
  })

  test('peeks at the verdict of a take without counting', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    const peek = (now: number) => limiter.peek('resend', subject, TEN, now)
    for (let i = 0; i < 20; i++)
      assert.deepEqual(await peek(START), { admitted: true, remaining: 10, resetSeconds: 3600 })
    for (let i = 0; i < 10; i++) assert.ok((await limiter.take('resend', subject, TEN, START)).admitted)
    assert.deepEqual(await peek(START + 1), { admitted: false, remaining: 0, resetSeconds: 3600 })
    assert.deepEqual(await peek(START + HOUR), { admitted: true, remaining: 10, resetSeconds: 3600 })
  })

  test('admits one more request after a give-back', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    for (let i = 0; i < 10; i++) await limiter.take('resend', subject, TEN, START + i)
    for (const takenAt of [START + 4, START + 4, START + 99]) await limiter.giveBack('resend', subject, TEN, takenAt)
    await limiter.giveBack('resend', freshSubject(), TEN, START)
    assert.equal((await limiter.take('resend', subject, TEN, START + 20)).admitted, true)
    assert.equal((await limiter.take('resend', subject, TEN, START + 20)).admitted, false)
  })

  test('counts subjects and names separately, whatever their text', async () => {
    const [limiter] = limiters()
    const one = { quota: 1, windowSeconds: 60 }
    const mark = freshSubject()
    const named = ['a', '__proto__', ' ', '$1', 'é', '\0', 'x'.repeat(1000)].map((text) => `${mark}${text}`)
    for (const name of ['resend', 'verify']) {
      for (const subject of named) assert.ok((await limiter.take(name, subject, one, START)).admitted, subject)
    }
    for (const subject of named) assert.ok(!(await limiter.take('verify', subject, one, START)).admitted, subject)
  })
}

function clockTests({ limiters }: LimiterKind): void {
  test('unlocks nothing when the clock goes back an hour, a day or a year (threat G13)', async () => {
    const [limiter] = limiters()
    for (const back of [1, HOUR, DAY, 365 * DAY]) {
      const subject = freshSubject()
      await takeAtOnce([limiter], 10, subject, START)
      for (const elapsed of [0, 1000, HOUR - 1]) {
        limiter.sweep(START - back + elapsed)
        const verdict = await limiter.take('resend', subject, TEN, START - back + elapsed)
        assert.equal(verdict.admitted, false, `${back} back, ${elapsed} on`)
      }
    }
  })

  test('keeps its count when the clock goes back an hour and returns (threat G13)', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    const take = (now: number) => limiter.take('resend', subject, TEN, now)
    for (let i = 0; i < 9; i++) await take(START)
    assert.equal((await take(START - HOUR)).admitted, true)
    assert.equal((await take(START - 1)).admitted, false)
    assert.deepEqual(await take(START), { admitted: true, remaining: 0, resetSeconds: 3600 })
    assert.equal((await take(START + HOUR - 1)).admitted, false)
  })

  test('locks no subject out for longer than a window after a clock was a year ahead (threat G13)', async () => {
    const [limiter] = limiters()
    const subject = freshSubject()
    const take = (now: number) => limiter.take('resend', subject, TEN, now)
    await takeAtOnce([limiter], 10, subject, START + 365 * DAY)
    assert.deepEqual(await take(START), { admitted: false, remaining: 0, resetSeconds: 3600 })
    assert.equal((await take(START + HOUR - 1)).admitted, false)
    assert.equal((await take(START + HOUR)).admitted, true)
  })
}

function sharingTests({ limiters }: LimiterKind): void {
  test('admits exactly 10 of 100 concurrent requests from two processes (threat D15)', async () => {
    const both = limiters()
    for (let round = 0; round < 5; round++) {
      const subject = freshSubject()
      assert.deepEqual(remainingOf(await takeAtOnce(both, 100, subject, START)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      for (const limiter of both) {
        const verdict = await limiter.peek('resend', subject, TEN, START + 1000)
        assert.deepEqual(verdict, { admitted: false, remaining: 0, resetSeconds: 3599 })
      }
    }
  })

  test('admits in one process what another gave back', async () => {
    const [one, other] = limiters()
    const subject = freshSubject()
    await takeAtOnce([one], 10, subject, START)
    assert.equal((await other.take('resend', subject, TEN, START)).admitted, false)
    await one.giveBack('resend', subject, TEN, START)
    assert.equal((await other.take('resend', subject, TEN, START)).admitted, true)
    assert.equal((await one.take('resend', subject, TEN, START)).admitted, false)
  })

  test('counts a refusal in neither process', async () => {
    const [one, other] = limiters()
    const subject = freshSubject()
    await takeAtOnce([one], 10, subject, START)
    await takeAtOnce([other], 20, subject, START + 1000)
    assert.equal(remainingOf(await takeAtOnce([other], 20, subject, START + HOUR)).length, 10)
  })

  test('keeps the count through concurrent takes and give-backs of two processes', async () => {
    const both = limiters()
    const subject = freshSubject()
    await both[0].take('resend', subject, TEN, START)
    await Promise.all(
      both.map(async (limiter, process) => {
        for (let i = 0; i < 20; i++) {
          const now = START + 2 * i + process
          assert.equal((await limiter.take('resend', subject, TEN, now)).admitted, true)
          await limiter.giveBack('resend', subject, TEN, now)
        }
      }),
    )
    for (const limiter of both) assert.equal((await limiter.peek('resend', subject, TEN, START)).remaining, 9)
  })
}

function modelTest({ limiters, modelRuns }: LimiterKind): void {
  const step = fc.record({
    act: fc.constantFrom('take', 'take', 'take', 'take', 'take', 'peek', 'giveBack', 'clear'),
    turn: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 4000 }) },
      { weight: 1, arbitrary: fc.constantFrom(-500, -5000, -HOUR, HOUR, -2 * DAY, 2 * DAY) },
    ),
  })
  const quotas = fc.record({ quota: fc.integer({ min: 0, max: 9 }), windowSeconds: fc.integer({ min: 1, max: 20 }) })

  test('agrees with a naive model for any takes, peeks, give-backs, clears and clock changes', async () => {
    const [limiter] = limiters()
    const agrees = async (quota: Quota, steps: readonly { act: string; turn: number }[]) => {
      const name = `quota ${quota.windowSeconds}`
      const subject = freshSubject()
      const model = naiveModel()
      let now = START
      for (const { act, turn } of steps) {
        const takenAt = now
        now += turn
        if (act === 'take') assert.deepEqual(await limiter.take(name, subject, quota, now), model.take(quota, now))
        if (act === 'peek') assert.deepEqual(await limiter.peek(name, subject, quota, now), model.peek(quota, now))
        if (act === 'giveBack') {
          await limiter.giveBack(name, subject, quota, takenAt)
          model.giveBack(takenAt)
        }
        if (act === 'clear') {
          await limiter.clear(name, subject, quota, now)
          model.clear(now)
        }
      }
    }
    const property = fc.asyncProperty(quotas, fc.array(step, { maxLength: 100, size: 'max' }), agrees)
    await fc.assert(property, { numRuns: modelRuns })
  })
}
