import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import { sortableNumber } from './index-values.ts'
import { readConditions } from './search-conditions.ts'

const options = [{ value: 'pro' }, { value: 'free' }]
const components = [
  ...(['text', 'email', 'phone', 'url', 'number', 'integer', 'boolean', 'date'] as const).map((type) => ({
    name: type,
    type,
    searchable: true,
  })),
  { name: 'select', type: 'select', options, searchable: true },
  { name: 'multiselect', type: 'multiselect', options, searchable: true },
  { name: 'hidden', type: 'text' },
  { name: 'off', type: 'text', searchable: false },
]
const version = {
  schema: { components },
  indexKeys: Object.fromEntries(components.map(({ name }) => [name, `${name}@1`])),
} as unknown as PublishedVersion
const read = (parameters: Record<string, string>) => readConditions(parameters, version)

const ranges = (parameters: Record<string, string>) => {
  const conditions = read(parameters)
  assert.ok('ranges' in conditions, JSON.stringify(conditions))
  return conditions.ranges
}
const problems = (parameters: Record<string, string>) => {
  const conditions = read(parameters)
  assert.ok('validation' in conditions, JSON.stringify(conditions))
  return conditions.validation
}

test('finds one value of a field of any searchable type, as the index contains it', () => {
  const value = (field: string, text: string) => {
    const [range] = ranges({ [field]: text })
    assert.equal(range.field, `${field}@1`)
    assert.equal(range.to, `${range.from}\u0001`)
    return range.from
  }
  assert.equal(value('text', ' PARIS '), 'paris')
  assert.equal(value('email', 'Ada@Example.com'), 'ada@example.com')
  assert.equal(value('phone', '+33612345678'), '+33612345678')
  assert.equal(value('url', 'https://Example.com'), 'https://example.com')
  assert.equal(value('select', 'Pro'), 'pro')
  assert.equal(value('multiselect', 'unknown'), 'unknown')
  assert.equal(value('date', '2024-02-29'), '2024-02-29')
  for (const truth of ['true', 'false']) assert.equal(value('boolean', truth), truth)
  assert.equal(value('integer', '18'), sortableNumber(18))
  assert.equal(value('number', '-2.5e3'), sortableNumber(-2500))
  assert.equal(value('text', '😀'.repeat(300)), '😀'.repeat(256))
})

test('a prefix ends before the first text that does not begin with it', () => {
  const to = (prefix: string) => ranges({ 'text.prefix': prefix })[0].to
  assert.equal(to('An'), 'ao')
  assert.equal(to('a\u{10ffff}'), 'b')
  assert.equal(to('\ud7ff'), '\ue000')
  assert.equal(to('\uffff'), '\u{10000}')
  assert.ok(Buffer.compare(Buffer.from(to('\u{10ffff}')), Buffer.from('\u{10ffff}'.repeat(256))) > 0)
  for (const type of ['email', 'phone', 'url']) assert.deepEqual(ranges({ [`${type}.prefix`]: 'b' })[0].from, 'b')
})

test('min and max of a field are one inclusive range, in either order', () => {
  const from = sortableNumber(18)
  const to = `${sortableNumber(30)}\u0001`
  assert.deepEqual(ranges({ 'integer.min': '18', 'integer.max': '30' }), [{ field: 'integer@1', from, to }])
  assert.deepEqual(ranges({ 'integer.max': '30', 'integer.min': '18' }), [{ field: 'integer@1', from, to }])
  assert.deepEqual(ranges({ 'integer.max': '30' }), [{ field: 'integer@1', from: '', to }])
  const [open] = ranges({ 'number.min': '18' })
  assert.ok(sortableNumber(Number.MAX_VALUE) < open.to)
  assert.deepEqual(ranges({ 'date.min': '2024-01-01', 'date.max': '2024-12-31' }), [
    { field: 'date@1', from: '2024-01-01', to: '2024-12-31\u0001' },
  ])
  assert.ok('9999-12-31' < ranges({ 'date.min': '2024-01-01' })[0].to)
})

test('keeps the order of the parameters, and allows three conditions', () => {
  const fields = (parameters: Record<string, string>) => ranges(parameters).map(({ field }) => field.replace('@1', ''))
  assert.deepEqual(fields({ text: 'a', date: '2024-01-01', email: 'b' }), ['text', 'date', 'email'])
  assert.deepEqual(fields({ 'date.min': '2024-01-01', text: 'a', 'date.max': '2024-01-02', email: 'b' }), [
    'date',
    'text',
    'email',
  ])
  assert.deepEqual(fields({ text: 'a', email: 'b', 'number.min': '1', 'number.max': '2' }), ['text', 'email', 'number'])
  const tooMany = 'Too many conditions; at most 3, where min and max of a field are one'
  assert.deepEqual(problems({ text: 'a', email: 'b', url: 'c', phone: 'd', 'number.min': '1' }), {
    'profile.phone': tooMany,
    'profile.number.min': tooMany,
  })
  assert.deepEqual(problems({ integer: '1', 'integer.min': '1', text: 'a', 'text.prefix': 'a' }), {
    'profile.text.prefix': tooMany,
  })
})

test('fields that are not searchable or do not exist are refused alike', () => {
  const message = 'Not searchable'
  for (const name of ['hidden', 'off', 'unknown', '__proto__', 'constructor', '', 'Text', 'hidden.prefix', '.min']) {
    assert.deepEqual(problems(Object.fromEntries([[name, 'x']])), { [`profile.${name}`]: message }, name)
  }
})

test('a field without entries in the index is not searchable yet', () => {
  for (const indexKeys of [null, {}]) {
    const conditions = readConditions({ text: 'a' }, { ...version, indexKeys })
    assert.deepEqual(conditions, { validation: { 'profile.text': 'Not searchable' } })
  }
})

test('an operator that the type does not have is refused with those that it has', () => {
  const message = (field: string, operator: string) =>
    problems({ [`${field}.${operator}`]: '1' })[`profile.${field}.${operator}`]
  const bounds =
    'Unknown operator; allowed for integer fields: profile.integer, profile.integer.min, profile.integer.max'
  assert.equal(message('integer', 'prefix'), bounds)
  assert.equal(message('integer', 'Min'), bounds)
  assert.equal(message('integer', ''), bounds)
  assert.equal(message('integer', 'min.max'), bounds)
  assert.equal(message('text', 'min'), 'Unknown operator; allowed for text fields: profile.text, profile.text.prefix')
  assert.equal(message('select', 'prefix'), 'Unknown operator; allowed for select fields: profile.select')
  for (const type of ['boolean', 'multiselect']) assert.match(message(type, 'prefix')!, /^Unknown operator/)
})

test('a value of the wrong form is refused with the right form', () => {
  const number = 'Expected a number, such as 18 or -2.5'
  for (const text of ['x', '1,5', '0x10', ' 1', '1e999', 'NaN', 'Infinity', '01', '.5', '+1', '１']) {
    assert.deepEqual(problems({ 'integer.min': text }), { 'profile.integer.min': number }, text)
    assert.deepEqual(problems({ number: text }), { 'profile.number': number }, text)
  }
  for (const text of ['True', '1', 'yes']) {
    assert.deepEqual(problems({ boolean: text }), { 'profile.boolean': 'Expected true or false' })
  }
  for (const text of ['2024-02-30', '2024', '2024-1-1', 'today', '2024-01-01T00:00:00Z']) {
    assert.deepEqual(problems({ 'date.max': text }), { 'profile.date.max': 'Expected a date, such as 2024-02-29' })
  }
  assert.deepEqual(problems({ text: 'a\0b' }), { 'profile.text': 'Invalid string' })
  assert.deepEqual(problems({ 'text.prefix': '\ud800' }), { 'profile.text.prefix': 'Invalid string' })
  assert.deepEqual(problems({ 'text.prefix': '  ' }), {
    'profile.text.prefix': 'String must contain at least 1 character(s)',
  })
})
