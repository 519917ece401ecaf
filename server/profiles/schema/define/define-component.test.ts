import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

const problems = (...components: unknown[]) => problemsOf({ components })
const keys = (...components: unknown[]) => Object.keys(problems(...components))

test('rejects reserved names (threat A06)', () => {
  for (const name of ['id', 'createdAt', 'updatedAt', 'tenantId', 'userId', '__proto__', 'constructor', 'prototype']) {
    assert.match(problems({ name, type: 'text' })['components.0.name']!, /reserved/)
  }
})

test('requires a name of 1 to 64 letters, digits and underscores that starts with a lowercase letter', () => {
  for (const name of ['a', 'firstName', 'line_2', 'toString', `a${'b'.repeat(63)}`])
    defined({ components: [{ name, type: 'text' }] })
  for (const name of [
    '',
    'A',
    '1a',
    '_a',
    'a-b',
    'a.b',
    'é',
    'a b',
    'a\n',
    `a${'b'.repeat(64)}`,
    1,
    null,
    undefined,
    ['a'],
  ]) {
    assert.deepEqual(keys({ name, type: 'text' }), ['components.0.name'])
  }
})

test('rejects a message for a rule that error.details cannot name', () => {
  const text = (messages: object) => ({ name: 'a', type: 'text', messages })
  defined({ components: [text({ maxLength: 'Too long', unique: { default: 'Taken', fr: 'Pris' } })] })
  for (const rule of ['maxLenght', 'toString', '']) {
    assert.match(
      problems(text({ [rule]: 'Too long' }))[`components.a.messages.${rule}`]!,
      /no such rule; rules: type, /,
    )
  }
})

test('rejects a duplicate name', () => {
  assert.deepEqual(keys({ name: 'a', type: 'text' }, { name: 'b', type: 'text' }, { name: 'a', type: 'date' }), [
    'components.2.name',
  ])
})

test('lists the types for an unknown type, and the alternative for a planned one', () => {
  assert.match(
    problems({ name: 'a', type: 'string' })['components.a.type']!,
    /^unknown type; allowed types: text, multiline, email/,
  )
  assert.match(problems({ name: 'a', type: 'toString' })['components.a.type']!, /^unknown type/)
  assert.match(problems({ name: 'a' })['components.a.type']!, /^missing type; allowed types/)
  for (const type of ['image', 'file']) {
    assert.match(problems({ name: 'a', type })['components.a.type']!, /not supported yet; it needs uploads/)
  }
})

test('rejects unknown properties and flags that are not booleans', () => {
  assert.deepEqual(keys({ name: 'a', type: 'text', colour: 1, required: 'yes', writable: null, writeOnce: 0 }), [
    'components.a.colour',
    'components.a.required',
    'components.a.writable',
    'components.a.writeOnce',
  ])
  assert.deepEqual(keys(JSON.parse('{"name": "a", "type": "text", "__proto__": 1}')), ['components.a.__proto__'])
  assert.deepEqual(keys('text', null, []), ['components.0', 'components.1', 'components.2'])
})

test('rejects unique fields whose refusals would disclose values, and flags that a type or a component cannot have', () => {
  assert.deepEqual(
    keys(
      { name: 'a', type: 'text', unique: true, sensitive: true },
      { name: 'b', type: 'text', unique: true, readable: false },
      { name: 'c', type: 'consent', unique: true, searchable: true },
      { name: 'd', type: 'text', uniqueBy: 'exact' },
      { name: 'e', type: 'text', unique: true, uniqueBy: 'case' },
      { name: 'f', type: 'text', writable: false, claimFromUser: true },
    ),
    [
      'components.a.unique',
      'components.b.unique',
      'components.c.unique',
      'components.c.searchable',
      'components.d.uniqueBy',
      'components.e.uniqueBy',
      'components.f.claimFromUser',
    ],
  )
  const sound = { name: 'a', type: 'text', searchable: true, sensitive: true, readable: false }
  defined({ components: [sound, { name: 'b', type: 'text', unique: true, uniqueBy: 'exact', claimFromUser: false }] })
})

test('accepts a label as a string or as strings by language with a default', () => {
  const label = (value: unknown) => Object.keys(problemsOf({ components: [{ name: 'a', type: 'text', label: value }] }))
  defined({ components: [{ name: 'a', type: 'text', label: { default: 'x', 'zh-Hant-TW': 'y' } }] })
  assert.deepEqual(label(''), ['components.a.label'])
  assert.deepEqual(label(7), ['components.a.label'])
  assert.deepEqual(label('x'.repeat(201)), ['components.a.label'])
  assert.deepEqual(label('a\0'), ['components.a.label'])
  assert.deepEqual(label({ fr: 'x' }), ['components.a.label'])
  assert.deepEqual(label({ default: 'x', fr: 3 }), ['components.a.label.fr'])
  assert.deepEqual(label({ default: 'x', '!': 'y' }), ['components.a.label.!'])
  assert.deepEqual(label({ default: 'x', 'pt-BR': 'y', 'pt-br': 'z' }), ['components.a.label.pt-br'])
  assert.deepEqual(label({ default: 'x', Default: 'y' }), ['components.a.label.Default'])
})

test('requires options with unique values for select and multiselect, and rejects options of other types', () => {
  const options = (value: unknown, type = 'select') => keys({ name: 'a', type, options: value })
  assert.deepEqual(options(undefined), ['components.a.options'])
  assert.deepEqual(options([]), ['components.a.options'])
  assert.deepEqual(options({}), ['components.a.options'])
  assert.deepEqual(options(Array.from({ length: 501 }, (_, index) => ({ value: `${index}` }))), [
    'components.a.options',
  ])
  assert.deepEqual(options([{ value: 'x' }, { value: 'x' }]), ['components.a.options.1.value'])
  assert.deepEqual(options([{ value: '' }, { label: 'x' }, 'x', { value: 'a\0' }]), [
    'components.a.options.0.value',
    'components.a.options.1.value',
    'components.a.options.2',
    'components.a.options.3.value',
  ])
  assert.deepEqual(options([{ value: 'x', label: 3, icon: 'y' }]), [
    'components.a.options.0.icon',
    'components.a.options.0.label',
  ])
  assert.deepEqual(options([{ value: 'x' }], 'text'), ['components.a.options'])
})
