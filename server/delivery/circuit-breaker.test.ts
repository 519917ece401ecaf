import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CircuitBreaker } from './circuit-breaker.ts'

/** One that has failed so often in a row, each attempt begun and ended at `now`. */
function failing(times: number, now = 0): CircuitBreaker {
  const breaker = new CircuitBreaker()
  for (let failure = 0; failure < times; failure++) {
    assert.ok(breaker.admits(now))
    breaker.failed(now, now)
  }
  return breaker
}

test('stays closed after four failures, and resets the count after a success', () => {
  const breaker = failing(4)
  assert.ok(breaker.admits(0))
  breaker.succeeded()
  for (let failure = 0; failure < 4; failure++) breaker.failed(0, 0)
  assert.ok(breaker.admits(0))
})

test('opens for ten seconds after five failures, then admits one probe', () => {
  const breaker = failing(5, 1_000)
  assert.equal(breaker.openUntil, 11_000)
  assert.equal(breaker.admits(1_000), false)
  assert.equal(breaker.admits(10_999), false)
  assert.equal(breaker.admits(11_000), true)
  assert.equal(breaker.admits(11_000), false)
  assert.equal(breaker.admits(500_000), false)
})

test('stays open after an aborted probe, and admits another one', () => {
  const breaker = failing(5)
  assert.ok(breaker.admits(10_000))
  breaker.interrupted(0)
  assert.equal(breaker.admits(10_000), false, 'the probe is still under way')
  breaker.interrupted(10_000)
  assert.ok(breaker.isOpen)
  assert.ok(breaker.admits(10_000))
})

test('probes at once when the clock was set back, and counts the result', () => {
  const breaker = failing(5, 365 * 86_400_000)
  assert.ok(breaker.admits(1_000))
  breaker.failed(1_000, 1_000)
  assert.equal(breaker.openUntil, 21_000)
  assert.ok(breaker.admits(21_000))
  breaker.succeeded()
  assert.ok(!breaker.isOpen)
})

test('closes after a successful probe', () => {
  const breaker = failing(5)
  assert.ok(breaker.admits(10_000))
  breaker.succeeded()
  for (let failure = 0; failure < 4; failure++) {
    assert.ok(breaker.admits(10_000))
    breaker.failed(10_000, 10_000)
  }
  assert.ok(breaker.admits(10_000))
})

test('doubles the pause after each failed probe, up to five minutes', () => {
  const breaker = failing(5)
  const pauses: number[] = []
  for (let now = breaker.openUntil, probe = 0; probe < 7; probe++) {
    assert.ok(breaker.admits(now))
    breaker.failed(now + 5, now)
    pauses.push(breaker.openUntil - now - 5)
    assert.equal(breaker.admits(breaker.openUntil - 1), false)
    now = breaker.openUntil
  }
  assert.deepEqual(pauses, [20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
})

test('ignores failures of attempts that started before it opened', () => {
  const breaker = new CircuitBreaker()
  for (let attempt = 0; attempt < 16; attempt++) assert.ok(breaker.admits(0))
  for (let attempt = 0; attempt < 16; attempt++) breaker.failed(100 + attempt, attempt)
  assert.equal(breaker.openUntil, 10_104)
  assert.ok(breaker.admits(10_104))
  breaker.failed(10_105, 50)
  assert.equal(breaker.admits(10_105), false, 'nor do they end the probe')
  assert.equal(breaker.openUntil, 10_104)
  breaker.failed(10_106, 10_104)
  assert.equal(breaker.openUntil, 30_106)
})

test('closes when an attempt from before it opened succeeds', () => {
  const breaker = failing(5)
  breaker.succeeded()
  assert.ok(breaker.admits(0))
})

test('closes after a probe with a reply about one message, and opens for longer with the next failure', () => {
  const breaker = failing(5)
  assert.ok(breaker.admits(10_000))
  breaker.answered(10_000)
  assert.equal(breaker.isOpen, false)
  assert.ok(breaker.admits(10_000))
  assert.ok(breaker.admits(10_000), 'not one at a time')
  breaker.failed(10_001, 10_000)
  assert.equal(breaker.openUntil, 30_001)
})

test('stays open for a reply to an attempt from before it opened, without ending the probe', () => {
  const breaker = failing(5, 1_000)
  breaker.answered(1_000)
  assert.equal(breaker.admits(1_001), false)
  assert.ok(breaker.admits(11_000))
  breaker.answered(999)
  assert.equal(breaker.admits(11_000), false)
})

test('keeps the last error', () => {
  const breaker = new CircuitBreaker()
  assert.equal(breaker.lastError, '')
  breaker.failed(0, 0, 'first')
  breaker.failed(1, 1, 'second')
  breaker.succeeded()
  assert.equal(breaker.lastError, 'second')
})
