import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRepeatedLines } from './repeated-lines.ts'

test('writes the first line of a kind, then one every five seconds with the number suppressed', () => {
  let now = 0
  const lines = createRepeatedLines(() => now)
  assert.equal(lines('disk is full'), 0)
  assert.equal(lines('disk is full'), null)
  assert.equal(lines('another kind'), 0)
  now = 4_999
  assert.equal(lines('disk is full'), null)
  now = 5_000
  assert.equal(lines('disk is full'), 2)
  assert.equal(lines('disk is full'), null)
  now = 10_000
  assert.equal(lines('disk is full'), 1)
})

test('remembers a bounded number of kinds', () => {
  const lines = createRepeatedLines(() => 0)
  for (let kind = 0; kind <= 100; kind++) assert.equal(lines(String(kind)), 0)
  assert.equal(lines('0'), 0, 'forgotten with the others')
})
