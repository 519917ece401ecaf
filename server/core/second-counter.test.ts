import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecondCounter } from './second-counter.ts'

const second = 1_770_000_000_000

test('counts the calls of each second from 1', () => {
  const count = createSecondCounter()
  assert.deepEqual(
    [0, 1, 999, 1000, 1001, 5000].map((ms) => count(second + ms)),
    [1, 2, 3, 1, 2, 1],
  )
})

test('a call that comes late counts for the current second and begins no new one', () => {
  const count = createSecondCounter()
  assert.deepEqual(
    [1000, 999, 1000, 0, 1999].map((ms) => count(second + ms)),
    [1, 2, 3, 4, 5],
  )
})

test('a clock that was set back begins a new second', () => {
  const count = createSecondCounter()
  assert.deepEqual(
    [0, 0, -60_000, -60_000, -59_000].map((ms) => count(second + ms)),
    [1, 2, 1, 2, 1],
  )
})
