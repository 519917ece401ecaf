import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

const options = [{ value: 'x' }, { value: 'y' }]
const component = (type: string, rules: unknown) => ({
  name: 'a',
  type,
  rules,
  ...(/select/.test(type) && { options }),
})

/** The names of the rules that are reported; `''` for the rules as a whole. */
const refused = (type: string, rules: unknown) =>
  Object.keys(problemsOf({ components: [component(type, rules)] })).map((key) =>
    key.replace(/^components\.a\.rules\.?/, ''),
  )

test('rejects rules of another type and lists the allowed ones', () => {
  assert.deepEqual(refused('text', { minItems: 1 }), ['minItems'])
  assert.deepEqual(refused('datetime', { minAge: 1 }), ['minAge'])
  assert.deepEqual(refused('select', { minItems: 1 }), ['minItems'])
  assert.deepEqual(refused('text', { toString: 1, constructor: 2 }), ['toString', 'constructor'])
  assert.deepEqual(refused('text', JSON.parse('{"__proto__": 1}')), ['__proto__'])
  const messageOf = (type: string, rule: string) =>
    problemsOf({ components: [component(type, { [rule]: 1 })] })[`components.a.rules.${rule.slice(0, 64)}`]
  assert.equal(messageOf('integer', 'x'), 'integer fields have no rule "x"; allowed rules: min, max, step')
  assert.equal(messageOf('select', 'min'), 'select fields have no rules; remove "min"')
  const cut = 'y'.repeat(64)
  assert.equal(messageOf('integer', `${cut}z`), `integer fields have no rule "${cut}"; allowed rules: min, max, step`)
})

test('requires rules to be an object', () => {
  for (const rules of [null, [], 'x', 1]) assert.deepEqual(refused('text', rules), [''])
})

test('rejects rules with a value of the wrong type or range', () => {
  assert.deepEqual(refused('text', { minLength: '1', maxLength: 1.5, pattern: 7 }), [
    'minLength',
    'maxLength',
    'pattern',
  ])
  assert.deepEqual(refused('text', { minLength: -1, maxLength: 20_001 }), ['minLength', 'maxLength'])
  assert.deepEqual(refused('number', { min: '0', max: Number.POSITIVE_INFINITY, step: 0 }), ['min', 'max', 'step'])
  assert.deepEqual(refused('integer', { min: 0.5, max: 2 ** 53, step: 0.1 }), ['min', 'max', 'step'])
  assert.deepEqual(refused('number', { min: null, step: Number.NaN }), ['min', 'step'])
  for (const type of ['number', 'integer'] as const) {
    assert.deepEqual(refused(type, { min: -(2 ** 53), max: 2 ** 53 }), ['min', 'max'], type)
    const rules = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
    assert.deepEqual(defined({ components: [component(type, rules)] }).components[0]!.rules, rules)
  }
  assert.deepEqual(refused('boolean', { mustBeTrue: 'yes' }), ['mustBeTrue'])
  assert.deepEqual(refused('date', { min: '2024-02-30', max: 20240101, minAge: 1.5, maxAge: 201 }), [
    'min',
    'max',
    'minAge',
    'maxAge',
  ])
  assert.deepEqual(refused('datetime', { min: '2024-01-01' }), ['min'])
  assert.deepEqual(refused('time', { max: '24:00' }), ['max'])
  assert.deepEqual(refused('list', { maxItems: 0, itemMaxLength: 1025, unique: 1 }), [
    'maxItems',
    'itemMaxLength',
    'unique',
  ])
  assert.deepEqual(refused('multiselect', { minItems: true }), ['minItems'])
})

test('quotes a refused text', () => {
  const messageOf = (type: string, rules: object) => Object.values(problemsOf({ components: [component(type, rules)] }))
  assert.deepEqual(messageOf('list', { items: 'object' }), [
    'must be one of text, email, phone, url, date; this is "object"',
  ])
  assert.deepEqual(messageOf('date', { min: '2024-02-30' }), [
    'must be valid, such as 2001-12-31; this is "2024-02-30"',
  ])
  assert.deepEqual(messageOf('boolean', { mustBeTrue: `${'y'.repeat(64)}z` }), [
    `must be true or false; this is "${'y'.repeat(64)}…"`,
  ])
})

test('requires valid and unique domains and countries', () => {
  for (const type of ['email', 'url']) {
    for (const domains of [
      [],
      'example.com',
      ['example'],
      ['https://example.com'],
      ['a.example', 'A.EXAMPLE'],
      [1],
      [`${'a'.repeat(70)}.com`],
    ]) {
      assert.deepEqual(refused(type, { domains }), ['domains'])
    }
    defined({ components: [component(type, { domains: ['example.com', 'münchen.example'] })] })
  }
  for (const countries of [['France'], ['fr'], ['XX'], ['FR', 'FR'], {}])
    assert.deepEqual(refused('phone', { countries }), ['countries'])
  defined({ components: [component('phone', { countries: ['FR', 'GB'] })] })
})

test('rejects rules that no value satisfies', () => {
  assert.deepEqual(refused('text', { minLength: 5, maxLength: 4 }), ['minLength'])
  assert.deepEqual(refused('text', { minLength: 3000 }), ['minLength'])
  assert.deepEqual(refused('text', { minLength: 1025, pattern: 'x' }), ['minLength'])
  assert.deepEqual(refused('number', { min: 2, max: 1 }), ['min'])
  assert.deepEqual(refused('date', { min: '2024-01-02', max: '2024-01-01', minAge: 2, maxAge: 1 }), ['min', 'minAge'])
  assert.deepEqual(refused('datetime', { min: '2024-01-01T00:00:00Z', max: '2024-01-01T00:00:00+01:00' }), ['min'])
  assert.deepEqual(refused('time', { min: '12:00:01', max: '12:00' }), ['min'])
  assert.deepEqual(refused('multiselect', { minItems: 3 }), ['minItems'])
  assert.deepEqual(refused('list', { minItems: 101, itemMinLength: 300 }), ['minItems', 'itemMinLength'])
  defined({ components: [component('number', { min: 1, max: 1 })] })
})

test('limits fields with a pattern to 1024 characters', () => {
  assert.deepEqual(refused('text', { pattern: 'x', maxLength: 1025 }), ['maxLength'])
  assert.deepEqual(refused('multiline', { pattern: '(?=x)' }), ['pattern'])
  defined({ components: [component('text', { pattern: 'x', maxLength: 1024 })] })
})

test('rejects a pattern on a long list that is too costly, and says what to do', () => {
  const [message] = Object.values(problemsOf({ components: [component('list', { pattern: '[ab]*a[ab]{30}[!?]$' })] }))
  assert.match(message!, /start it with \^.*itemMaxLength/)
  defined({ components: [component('list', { pattern: '[ab]*a[ab]{30}[!?]$', itemMaxLength: 32 })] })
  defined({ components: [component('list', { pattern: '^[a-z0-9-]{1,64}$' })] })
})
