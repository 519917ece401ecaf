import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../json-value.ts'
import { compileCondition, conditionFields } from './compile-condition.ts'
import type { Condition } from './condition.ts'

const holds = (condition: object, values: Record<string, JsonValue>): boolean =>
  compileCondition(condition as Condition)((field) => values[field] ?? null)
const holdsOf = (test: object, value: JsonValue) => holds({ field: 'a', ...test }, { a: value })

test('is and in hold for one of the values, isNot and notIn for all others', () => {
  for (const [positive, negative] of [
    [{ is: 'FR' }, { isNot: 'FR' }],
    [{ in: ['FR', 'DE'] }, { notIn: ['FR', 'DE'] }],
  ] as const) {
    assert.deepEqual([holdsOf(positive, 'FR'), holdsOf(negative, 'FR')], [true, false])
    assert.deepEqual([holdsOf(positive, 'fr'), holdsOf(negative, 'fr')], [false, true])
    assert.deepEqual([holdsOf(positive, null), holdsOf(negative, null)], [false, true])
  }
  assert.deepEqual([holdsOf({ is: 0 }, 0), holdsOf({ is: 0 }, '0'), holdsOf({ is: false }, 0)], [true, false, false])
})

test('compares an array by what it contains', () => {
  assert.deepEqual([holdsOf({ is: 'x' }, ['w', 'x']), holdsOf({ isNot: 'x' }, ['w', 'x'])], [true, false])
  assert.deepEqual([holdsOf({ in: ['y', 'x'] }, ['x']), holdsOf({ notIn: ['y', 'x'] }, ['x'])], [true, false])
  assert.deepEqual([holdsOf({ in: ['y'] }, []), holdsOf({ notIn: ['y'] }, [])], [false, true])
})

test('set means not null: an empty array and false are values', () => {
  for (const value of [[], false, 0, 'x'] as JsonValue[]) {
    assert.deepEqual([holdsOf({ set: true }, value), holdsOf({ set: false }, value)], [true, false])
  }
  assert.deepEqual([holdsOf({ set: true }, null), holdsOf({ set: false }, null)], [false, true])
})

test('min and max are inclusive, together a range, and never hold for null or another type', () => {
  assert.deepEqual(
    [3, 4, 5, 6].map((value) => holdsOf({ min: 4, max: 5 }, value)),
    [false, true, true, false],
  )
  const day = (value: string) => holdsOf({ min: '2000-01-01' }, value)
  assert.deepEqual([day('1999-12-31'), day('2000-01-01'), day('2000-01-02')], [false, true, true])
  for (const value of [null, '5', [5], true] as JsonValue[]) assert.equal(holdsOf({ min: 0 }, value), false)
  for (const value of [null, 5, [5], true] as JsonValue[]) assert.equal(holdsOf({ max: '9' }, value), false)
})

test('compares whether a consent was accepted', () => {
  const consent = { accepted: true, version: '2', at: '2026-01-01T00:00:00.000Z' }
  assert.deepEqual([holdsOf({ is: true }, consent), holdsOf({ set: true }, consent)], [true, true])
  assert.deepEqual(
    [holdsOf({ is: true }, { ...consent, accepted: false }), holdsOf({ is: true }, null)],
    [false, false],
  )
})

test('all holds when every part does, any when one does, not when its part does not', () => {
  const [yes, no] = [
    { field: 'a', is: 1 },
    { field: 'a', is: 2 },
  ]
  const values = { a: 1 }
  assert.deepEqual([holds({ all: [yes, yes] }, values), holds({ all: [yes, no] }, values)], [true, false])
  assert.deepEqual([holds({ any: [no, yes] }, values), holds({ any: [no, no] }, values)], [true, false])
  assert.deepEqual([holds({ not: no }, values), holds({ not: { all: [yes, { any: [yes] }] } }, values)], [true, false])
})

test('names the fields that a condition reads once', () => {
  const is = (field: string) => ({ field, is: 1 })
  assert.deepEqual(conditionFields({ all: [is('a'), { any: [is('b'), { not: is('c') }] }, is('a')] }), ['a', 'b', 'c'])
})

test('reads one field for each comparison at most', () => {
  const leaves = Array.from({ length: 20 }, (_, index) => ({ field: `f${index}`, in: Array.from(Array(250).keys()) }))
  let reads = 0
  const condition = compileCondition({ not: { any: [{ all: leaves.slice(0, 10) }, { any: leaves.slice(10) }] } })
  condition(() => {
    reads++
    return 7
  })
  assert.ok(reads <= 20, `${reads} reads`)
})
