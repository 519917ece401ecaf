import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'

test('the system clock returns whole epoch milliseconds', () => {
  const before = Date.now()
  const now = systemClock.now()
  assert.ok(Number.isInteger(now))
  assert.ok(now >= before && now <= Date.now())
})
