import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../schema.testkit.ts'
import { schemaWarnings } from './schema-warnings.ts'

/** The warnings of a schema, as `path: message`. */
const warnings = (components: object[], forms: object = {}): string[] =>
  schemaWarnings(defined({ components, forms })).map(({ path, message }) => `${path}: ${message}`)

const kind = { name: 'kind', type: 'select', options: [{ value: 'private' }, { value: 'business' }] }
const isBusiness = { field: 'kind', is: 'business' }
const isPrivate = { field: 'kind', is: 'private' }
const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more })

test('warns of a step that can require a field that the form does not have', () => {
  const vat = text('vat', { requiredWhen: isBusiness })
  const step = (name: string, ...fields: string[]) => ({ step: name, fields })
  const missing =
    'cannot be saved while "kind" requires "vat", which has no value and is not in this form; add it to the form'
  assert.deepEqual(warnings([kind, vat, text('a')], { start: { steps: [step('one', 'a'), step('two', 'kind')] } }), [
    `forms.start.steps.1: ${missing}`,
  ])
  assert.deepEqual(warnings([kind, vat], { flat: { fields: ['kind'] } }), [`forms.flat: ${missing}`])
  assert.deepEqual(warnings([kind, vat], { start: { steps: [step('one', 'kind'), step('two', 'vat')] } }), [])
  assert.deepEqual(warnings([kind, vat, text('a')], { start: { fields: ['a'] } }), [])
  const signUp = { fields: ['vat'], required: ['vat'] }
  assert.deepEqual(warnings([kind, vat], { signUp, start: { fields: ['kind'] } }), [], 'every sign-up sets vat')
  const fixed = { ...kind, writable: false }
  assert.deepEqual(warnings([fixed, vat], { start: { fields: ['kind'] } }), [], 'users cannot change kind')
})

test('warns of a sign-up that requires a field which is locked on an empty profile', () => {
  const signUp = { signUp: { fields: ['a', 'b'], required: ['b'] } }
  const locked = (lockedWhen: object) => warnings([text('a'), text('b', { lockedWhen })], signUp)
  assert.deepEqual(locked({ field: 'a', set: false }), [
    'forms.signUp.required.0: "b" is locked while no field has a value, so no sign-up can set it; change its lockedWhen or do not require it',
  ])
  assert.deepEqual(locked({ field: 'a', set: true }), [])
})

test('warns of a field that only the operator sets and that a change of the user requires', () => {
  const limit = { name: 'limit', type: 'integer', writable: false, requiredWhen: isBusiness }
  assert.deepEqual(warnings([kind, limit]), [
    'components.limit.requiredWhen: users cannot set "limit", so a change of "kind" that requires it is refused until the operator sets it',
  ])
  assert.deepEqual(warnings([{ ...kind, writable: false }, limit]), [], 'only the operator changes kind')
  const note = { readable: false, writable: false }
  assert.deepEqual(
    warnings([
      { ...kind, ...note },
      { ...limit, ...note },
    ]),
    [],
    'notes are the operator’s',
  )
})

test('warns of conditions that contradict themselves, or the condition that shows their field', () => {
  assert.deepEqual(
    warnings(
      [
        kind,
        text('a', { visibleWhen: { all: [isBusiness, isPrivate] } }),
        text('b', { visibleWhen: isBusiness, requiredWhen: isPrivate }),
        text('c', { lockedWhen: { all: [isBusiness, { not: { field: 'kind', set: true } }] } }),
        { name: 'd', type: 'select', visibleWhen: isBusiness, options: [{ value: 'x', when: isPrivate }] },
        text('e', { visibleWhen: { all: [isPrivate, { field: 'b', set: true }] } }),
      ],
      {
        start: {
          steps: [{ step: 'one', fields: ['a'], visibleWhen: { not: { any: [isBusiness, { not: isBusiness }] } } }],
        },
      },
    ),
    [
      'components.a.visibleWhen: never holds, so the field is never shown; correct or remove it',
      'components.b.requiredWhen: never holds while visibleWhen does, so the field is never required; correct or remove it',
      'components.c.lockedWhen: never holds, so the field is never locked; correct or remove it',
      'components.d.options.0.when: never holds while visibleWhen does, so the option can never be chosen; correct or remove it',
      'components.e.visibleWhen: never holds, so the field is never shown; correct or remove it',
      'forms.start.steps.0.visibleWhen: never holds, so the step is always skipped; correct or remove it',
    ],
  )
})

test('compares ranges of numbers and dates', () => {
  const never = (type: string, ...all: object[]) =>
    warnings([{ name: 'n', type }, text('a', { visibleWhen: { all: all.map((one) => ({ field: 'n', ...one })) } })])
      .length
  assert.equal(never('integer', { min: 18 }, { max: 17 }), 1)
  assert.equal(never('integer', { min: 18 }, { max: 18 }), 0)
  assert.equal(never('number', { min: 1 }, { max: 2 }, { notIn: [1, 2] }), 0)
  assert.equal(never('number', { max: -5 }, { isNot: -5 }), 0)
  assert.equal(never('date', { min: '2026-01-02' }, { max: '2026-01-01' }), 1)
  assert.equal(never('date', { min: '2026-01-01' }, { max: '2026-01-03' }, { notIn: ['2026-01-01', '2026-01-03'] }), 0)
  assert.equal(never('boolean', { isNot: true }, { isNot: false }, { set: true }), 1)
  assert.equal(never('consent', { is: true }, { is: false }), 1)
})

test('does not warn where a condition can hold', () => {
  const tags = { name: 'tags', type: 'multiselect', options: [{ value: 'x' }, { value: 'y' }] }
  const both = {
    all: [
      { field: 'tags', is: 'x' },
      { field: 'tags', is: 'y' },
    ],
  }
  assert.deepEqual(warnings([tags, text('a', { visibleWhen: both })]), [], 'a field with several values has both')
  const other = {
    all: [
      { field: 'kind', notIn: ['private', 'business'] },
      { field: 'kind', set: true },
    ],
  }
  assert.deepEqual(
    warnings([kind, text('a', { visibleWhen: other })]),
    [],
    'an earlier version may have had other options',
  )
  const lockedWhen = { lockedWhen: isPrivate, visibleWhen: isBusiness }
  assert.deepEqual(warnings([kind, text('a', lockedWhen)]), [], 'it locks the change that shows the field')
  assert.deepEqual(warnings([kind, text('a', { visibleWhen: { any: [both, isBusiness] } }), tags]), [])
})
