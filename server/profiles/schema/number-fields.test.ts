import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertAll, compiled, judgeOf, REFUSED } from './schema.testkit.ts'

test('reports the received type for numbers; a fraction is a float', () => {
  assert.equal(judgeOf({ type: 'number' })('1'), 'Expected number, received string')
  assert.equal(judgeOf({ type: 'integer' })('1'), 'Expected integer, received string')
  assert.equal(judgeOf({ type: 'integer' })(true), 'Expected integer, received boolean')
  assert.equal(judgeOf({ type: 'integer' })(1.5), 'Expected integer, received float')
})

test('accepts only numbers that a double represents exactly (threat A16)', () => {
  for (const type of ['number', 'integer'] as const) {
    assertAll({ type }, null, [0, -0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])
    assertAll({ type }, REFUSED, [
      2 ** 53,
      -(2 ** 53),
      1e308,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
    ])
  }
  assertAll({ type: 'number' }, null, [1.5, -0.1, 1e-7])
})

test('includes min and max in the range of a number', () => {
  assertAll({ type: 'number', rules: { min: -1, max: 2.5 } }, null, [-1, 0, 2.5])
  assertAll({ type: 'number', rules: { min: -1, max: 2.5 } }, REFUSED, [-1.1, 2.6])
  assertAll({ type: 'integer', rules: { min: 18 } }, REFUSED, [17])
})

test('counts step from min or 0, including decimal steps', () => {
  assertAll({ type: 'number', rules: { step: 0.1 } }, null, [0, 0.1, 0.3, 0.7, 1.1, 123456.7, -0.3, 4.35e2])
  assertAll({ type: 'number', rules: { step: 0.1 } }, REFUSED, [0.05, 0.31, 123456.75, 0.30000001])
  assertAll({ type: 'integer', rules: { min: 1, step: 2 } }, null, [1, 3, 5])
  assertAll({ type: 'integer', rules: { min: 1, step: 2 } }, REFUSED, [2, 4])
  assertAll({ type: 'integer', rules: { step: 2 } }, REFUSED, [9007199254740991])
  assertAll({ type: 'integer', rules: { min: 1, step: 5 } }, null, [1, 6, 11])
  assertAll({ type: 'integer', rules: { min: 1, step: 5 } }, REFUSED, [4, 5, 9])
  assertAll({ type: 'number', rules: { min: 0.25, step: 1 } }, null, [0.25, 3.25])
  assertAll({ type: 'number', rules: { min: 0.25, step: 1 } }, REFUSED, [0.75, 3])
})

test('accepts exactly whole cents with step 0.01', () => {
  const judge = judgeOf({ type: 'number', rules: { min: -1e9, step: 0.01 } })
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), (cents) => {
      assert.equal(judge(cents / 100), null)
      assert.equal(judge(cents / 100 + 0.005), REFUSED)
    }),
  )
})

test('shows a stored fraction of an integer field as unset', () => {
  const schema = compiled(['number', 'integer'].map((type) => ({ name: type, type })))
  assert.deepEqual(schema.present({ number: 1.5, integer: 1.5 }), { number: 1.5, integer: null })
  assert.deepEqual(schema.present({ number: '1', integer: '1' }), { number: null, integer: null })
  assert.deepEqual(schema.present({ number: 1, integer: 1 }), { number: 1, integer: 1 })
})

test('accepts booleans, and only true with mustBeTrue', () => {
  assertAll({ type: 'boolean' }, null, [true, false])
  assertAll({ type: 'boolean' }, 'Expected boolean, received string', ['true'])
  assertAll({ type: 'boolean' }, 'Expected boolean, received number', [1])
  assertAll({ type: 'boolean', rules: { mustBeTrue: true } }, REFUSED, [false])
  assertAll({ type: 'boolean', rules: { mustBeTrue: true } }, null, [true])
})
