import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAll, client, compiled, judgeOf, REFUSED } from './schema.testkit.ts'

const options = [{ value: 'fr' }, { value: 'de', label: 'Germany' }, { value: 'toString' }]

test('accepts exactly the option values for a select', () => {
  assertAll({ type: 'select', options }, null, ['fr', 'de', 'toString'])
  assertAll({ type: 'select', options }, REFUSED, ['FR', 'Germany', 'constructor', ' fr'])
  assertAll({ type: 'select', options }, 'String must contain at least 1 character(s)', [''])
  assertAll({ type: 'select', options }, 'Expected string, received array', [['fr']])
})

test('reports the received type for an array field', () => {
  assertAll({ type: 'multiselect', options }, 'Expected array, received string', ['fr'])
  assertAll({ type: 'list' }, 'Expected array, received object', [{ 0: 'x' }])
})

test('accepts each option at most once for a multiselect', () => {
  assertAll({ type: 'multiselect', options }, null, [[], ['fr'], ['de', 'fr', 'toString']])
  assertAll({ type: 'multiselect', options }, REFUSED, [['fr', 'fr'], ['xx'], ['fr', 1], [null], [['fr']]])
  assertAll({ type: 'multiselect', options, rules: { minItems: 1, maxItems: 2 } }, REFUSED, [
    [],
    ['fr', 'de', 'toString'],
  ])
})

test('accepts strings of the allowed lengths for a list, with duplicates unless unique', () => {
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

test('applies the pattern of a list to each item', () => {
  assertAll({ type: 'list', rules: { pattern: '^[a-z]+$' } }, null, [['a', 'b']])
  assertAll({ type: 'list', rules: { pattern: '^[a-z]+$' } }, REFUSED, [['a', 'B']])
})

test('judges each item of a list as its type', () => {
  const accepted = {
    email: ['ada@example.com', `${'x'.repeat(64)}@example.com`],
    phone: ['+33612345678'],
    url: [`https://example.com/${'x'.repeat(1000)}`],
    date: ['2024-02-29'],
  }
  for (const [items, values] of Object.entries(accepted)) {
    const component = { type: 'list', rules: { items, maxItems: 2, unique: true } } as const
    assertAll(component, null, [[], values])
    assertAll(component, REFUSED, [[''], [...values, 'x'], [1], [null], [[values[0]]], [values[0]!, values[0]!]])
    assertAll(component, 'Invalid string', [['\0'], [...values, '\ud800']])
    assertAll(component, 'Expected array, received string', [values[0]])
  }
  assertAll({ type: 'list', rules: { items: 'text', pattern: '^a$' } }, null, [['a', 'a']])
})

test('names the type of the items when one is not of it', () => {
  const schema = compiled([{ name: 'mails', type: 'list', rules: { items: 'email' } }])
  const judged = schema.validate({ mails: ['a'] }, client())
  assert.deepEqual(judged, {
    validation: { mails: REFUSED },
    details: { mails: { rule: 'items', items: 'email' } },
  })
})

test('reports an invalid string for NUL or a lone surrogate in an item', () => {
  assertAll({ type: 'multiselect', options }, 'Invalid string', [['fr', 'a\0']])
  assertAll({ type: 'list' }, 'Invalid string', [
    ['a', '\ud800'],
    [1, '\0'],
  ])
})

test('rejects huge and deep values by the limits (threat E04)', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 10_000; level++) deep = [deep]
  for (const type of ['list', 'multiselect'] as const) {
    const component = type === 'list' ? { type } : { type, options }
    assertAll(component, REFUSED, [Array(10_000).fill('fr')])
    assertAll(component, REFUSED, [['x'.repeat(65_536)]])
    assert.equal(judgeOf(component)(deep), REFUSED)
  }
})
