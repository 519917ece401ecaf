import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAll, judgeOf } from './schema.testkit.ts'

const REFUSED = 'Validation rule not met'
const options = [{ value: 'fr' }, { value: 'de', label: 'Germany' }, { value: 'toString' }]

test('a select takes the value of an option, to the letter', () => {
  assertAll({ type: 'select', options }, null, ['fr', 'de', 'toString'])
  assertAll({ type: 'select', options }, REFUSED, ['FR', 'Germany', 'constructor', ' fr'])
  assertAll({ type: 'select', options }, 'String must contain at least 1 character(s)', [''])
  assertAll({ type: 'select', options }, 'Expected string, received array', [['fr']])
})

test('an array type tells what it received instead of an array', () => {
  assertAll({ type: 'multiselect', options }, 'Expected array, received string', ['fr'])
  assertAll({ type: 'list' }, 'Expected array, received object', [{ 0: 'x' }])
})

test('a multiselect takes each of its options at most once', () => {
  assertAll({ type: 'multiselect', options }, null, [[], ['fr'], ['de', 'fr', 'toString']])
  assertAll({ type: 'multiselect', options }, REFUSED, [['fr', 'fr'], ['xx'], ['fr', 1], [null], [['fr']]])
  assertAll({ type: 'multiselect', options, rules: { minItems: 1, maxItems: 2 } }, REFUSED, [
    [],
    ['fr', 'de', 'toString'],
  ])
})

test('a list takes strings of its lengths, as often as it likes unless unique', () => {
  assertAll({ type: 'list' }, null, [[], ['a', 'a'], Array(100).fill('x'.repeat(256)), ['😀'.repeat(256)]])
  assertAll({ type: 'list' }, REFUSED, [[''], [1], [null], [{}], Array(101).fill('x'), ['x'.repeat(257)]])
  assertAll({ type: 'list', rules: { unique: true } }, REFUSED, [['a', 'b', 'a']])
  assertAll({ type: 'list', rules: { itemMinLength: 0 } }, null, [['']])
  assertAll({ type: 'list', rules: { minItems: 2, itemMinLength: 2, itemMaxLength: 3 } }, REFUSED, [
    ['ab'],
    ['ab', 'a'],
    ['ab', 'abcd'],
  ])
})

test('the pattern of a list is for each item', () => {
  assertAll({ type: 'list', rules: { pattern: '^[a-z]+$' } }, null, [['a', 'b']])
  assertAll({ type: 'list', rules: { pattern: '^[a-z]+$' } }, REFUSED, [['a', 'B']])
})

test('NUL or a lone surrogate in any item makes the array an invalid string', () => {
  assertAll({ type: 'multiselect', options }, 'Invalid string', [['fr', 'a\0']])
  assertAll({ type: 'list' }, 'Invalid string', [
    ['a', '\ud800'],
    [1, '\0'],
  ])
})

test('huge and deep values are refused by the limits (E04)', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 10_000; level++) deep = [deep]
  for (const type of ['list', 'multiselect'] as const) {
    const component = type === 'list' ? { type } : { type, options }
    assertAll(component, REFUSED, [Array(10_000).fill('fr')])
    assertAll(component, REFUSED, [['x'.repeat(65_536)]])
    assert.equal(judgeOf(component)(deep), REFUSED)
  }
})
