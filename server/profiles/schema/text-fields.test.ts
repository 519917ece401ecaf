import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAll, judgeOf, REFUSED } from './schema.testkit.ts'

test('reports the received type for a string field', () => {
  for (const type of ['text', 'multiline', 'email', 'phone', 'url', 'date', 'datetime', 'time'] as const) {
    const judge = judgeOf({ type })
    assert.equal(judge(42), 'Expected string, received number')
    assert.equal(judge(Number.NaN), 'Expected string, received number')
    assert.equal(judge(true), 'Expected string, received boolean')
    assert.equal(judge(['x']), 'Expected string, received array')
    assert.equal(judge({ toString: 'x' }), 'Expected string, received object')
  }
})

test('rejects NUL and lone surrogates before other rules (threat A13) (threat A14)', () => {
  const unsound = ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800']
  for (const type of ['text', 'multiline', 'email', 'phone', 'url', 'date', 'datetime', 'time'] as const) {
    assertAll({ type }, 'Invalid string', unsound)
  }
  assertAll({ type: 'text', rules: { minLength: 10, pattern: '^x$' } }, 'Invalid string', unsound)
})

test('reports the empty string as too short for every string type except dates and times', () => {
  for (const type of ['text', 'multiline', 'email', 'phone', 'url'] as const) {
    assertAll({ type }, 'String must contain at least 1 character(s)', [''])
  }
  for (const type of ['date', 'datetime', 'time'] as const) assertAll({ type }, 'Invalid date format', [''])
  assertAll({ type: 'text', rules: { minLength: 0 } }, null, [''])
})

test('counts text lengths in code points', () => {
  assertAll({ type: 'text', rules: { minLength: 3 } }, 'String must contain at least 3 character(s)', ['ab', '😀😀'])
  assertAll({ type: 'text', rules: { minLength: 2, maxLength: 3 } }, null, ['ab', '😀😀', '😀😀😀', 'a😀b'])
  assertAll({ type: 'text', rules: { maxLength: 3 } }, REFUSED, ['abcd', '😀😀😀😀'])
})

test('limits text to 2048 characters, multiline to 20,000 and patterns to 1024 by default', () => {
  assertAll({ type: 'text' }, null, ['x'.repeat(2048), '😀'.repeat(2048)])
  assertAll({ type: 'text' }, REFUSED, ['x'.repeat(2049), 'x'.repeat(65_536)])
  assertAll({ type: 'multiline' }, null, ['x\n'.repeat(10_000)])
  assertAll({ type: 'multiline' }, REFUSED, ['x'.repeat(20_001)])
  assertAll({ type: 'text', rules: { pattern: 'x' } }, null, ['x'.repeat(1024)])
  assertAll({ type: 'text', rules: { pattern: 'x' } }, REFUSED, ['x'.repeat(1025)])
})

test('stores a value exactly as sent: markup, formulas, control sequences, spaces (threat E08)', () => {
  assertAll({ type: 'text' }, null, ['<img onerror=alert(1)>', '=cmd()', 'a\r\nb', '\u001b[31m', '  x  ', 'e\u0301'])
})

test('requires the pattern to match in the value', () => {
  assertAll({ type: 'text', rules: { pattern: '^[A-Z]{2}[0-9]{4}$' } }, null, ['AB1234'])
  assertAll({ type: 'text', rules: { pattern: '^[A-Z]{2}[0-9]{4}$' } }, REFUSED, ['ab1234', 'AB12345', 'AB1234\n'])
})
