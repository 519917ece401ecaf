import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRepeatedLines } from './repeated-lines.ts'

test('writes the first line of a kind, then one every five seconds with the number suppressed', () => {
  let now = 0
  const lines = createRepeatedLines(() => now)
  assert.deepEqual(lines('disk is full'), {})
  assert.equal(lines('disk is full'), null)
  assert.deepEqual(lines('another kind'), {})
  now = 4_999
  assert.equal(lines('disk is full'), null)
  now = 5_000
  assert.deepEqual(lines('disk is full'), { suppressed: 2 })
  assert.equal(lines('disk is full'), null)
  now = 10_000
  assert.deepEqual(lines('disk is full'), { suppressed: 1 })
})

test('remembers a bounded number of kinds', () => {
  const lines = createRepeatedLines(() => 0)
  for (let kind = 0; kind <= 100; kind++) assert.deepEqual(lines(String(kind)), {})
  assert.deepEqual(lines('0'), {}, 'forgotten with the others')
})
