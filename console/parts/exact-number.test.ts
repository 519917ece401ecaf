import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExactNumber } from './exact-number.ts'

test('a number is exact when it is not rounded, and a blank is none', () => {
  for (const text of ['0', '-1', '1.5', '1.', '1e3', '9007199254740991']) assert.ok(isExactNumber(text), text)
  for (const text of ['', ' ', 'x', '1,5', '1e400', '9007199254740993']) assert.ok(!isExactNumber(text), text)
})
