import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from './manual-clock.ts'

test('stays at its time until it is advanced or set back', () => {
  const clock = manualClock(1000)
  assert.equal(clock.now(), 1000)
  assert.equal(clock.now(), 1000)
  clock.advance(500)
  assert.equal(clock.now(), 1500)
  clock.advance(-1000)
  assert.equal(clock.now(), 500)
  clock.set(7)
  assert.equal(clock.now(), 7)
})
