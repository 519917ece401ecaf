import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SealingPace, type SealingPaceOptions } from './sealing-pace.ts'

/** A process that spends the part `load` of the time on requests, except while it seals. */
function processWith(load: (at: number) => number, options: Partial<SealingPaceOptions> = {}) {
  let at = 0
  const times = { active: 0, idle: 0 }
  const spend = (ms: number, part: number) => {
    at += ms
    times.active += ms * part
    times.idle += ms * (1 - part)
  }
  const pace = new SealingPace({
    share: 5,
    waiting: () => 0,
    loopTimes: () => ({ ...times }),
    now: () => at,
    ...options,
  })
  return {
    pace,
    wait: (ms: number) => spend(ms, load(at)),
    /** Seals until then, in transactions of 20 ms, or of 2 ms when crowded; returns the part of the time that they took. */
    sealUntil(end: number): number {
      const start = at
      let sealedMs = 0
      while (at < end) {
        const { pauseMs } = pace
        if (pauseMs > 0) spend(Math.ceil(pauseMs), load(at))
        else {
          const heldMs = pace.isCrowded ? 2 : 20
          spend(heldMs, 1)
          sealedMs += heldMs
          pace.sealed(heldMs)
        }
      }
      return sealedMs / (at - start)
    },
  }
}

const about = (expected: number, tolerance: number) => (actual: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of about ${expected}`)

test('takes what the requests of the process leave, and at least its share', () => {
  for (const [load, share] of [
    [0, 0.96],
    [0.3, 0.68],
    [0.6, 0.39],
    [0.97, 0.05],
    [1, 0.05],
  ] as const)
    about(share, 0.02)(processWith(() => load).sealUntil(60_000))
  about(0.2, 0.01)(processWith(() => 1, { share: 20 }).sealUntil(60_000))
})

test('transactions are small while requests take more than half of the time', () => {
  for (const [load, isCrowded] of [
    [0.4, false],
    [0.6, true],
  ] as const) {
    const { pace, sealUntil } = processWith(() => load)
    sealUntil(1_000)
    assert.equal(pace.isCrowded, isCrowded, `${load}`)
  }
})

test('follows the load within half a second', () => {
  const { sealUntil } = processWith((at) => (at >= 2_000 && at < 4_000 ? 1 : 0))
  about(0.96, 0.02)(sealUntil(2_000))
  sealUntil(2_600)
  about(0.05, 0.01)(sealUntil(4_000))
  sealUntil(4_600)
  about(0.96, 0.02)(sealUntil(6_000))
})

test('while writes wait for the database, takes its share of an idle event loop', () => {
  const { pace, sealUntil } = processWith(() => 0, { waiting: () => 1 })
  about(0.05, 0.01)(sealUntil(10_000))
  assert.ok(pace.isCrowded)
})

test('measures before it seals, and again after a time without', () => {
  const { pace, wait } = processWith(() => 0)
  assert.equal(pace.pauseMs, 20)
  wait(20)
  assert.equal(pace.pauseMs, 0)
  // The average of a long time does not show a load that has just begun.
  wait(10_000)
  assert.equal(pace.pauseMs, 20)
})

test('does not rest after a transaction that took what it needed', () => {
  const { pace, wait } = processWith(() => 1)
  wait(20)
  assert.equal(pace.pauseMs, 0)
  pace.sealed(10)
  assert.equal(pace.pauseMs, 190)
  wait(190)
  pace.sealed(0)
  assert.equal(pace.pauseMs, 0)
})
