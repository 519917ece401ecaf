import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { CompiledProfileSchema } from './compile-profile-schema.ts'
import { client, compiled, NOW, operator, REFUSED } from './schema.testkit.ts'

const select = (name: string, ...values: string[]) => ({
  name,
  type: 'select',
  options: values.map((value) => ({ value })),
})
const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more })
const isSet = (field: string) => ({ field, set: true })
const unset = (field: string) => ({ field, set: false })
const kind = select('kind', 'private', 'business')
const business = { field: 'kind', is: 'business' }

/** Judges an update of a client, or of the operator: the refusals by field, or the values to store. */
function judge(schema: CompiledProfileSchema, current: ProfileValues | null, update: object, operator = false) {
  const judged = schema.validate({ ...update }, { now: NOW, operator, current })
  return 'validation' in judged ? judged.details : judged.values
}
const refused = (field: string, rule: string, more: object = {}) => ({ [field]: { rule, ...more } })

test('ignores what a client sends for a hidden field, even when it is invalid', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, rules: { minLength: 9 } })])
  assert.deepEqual(judge(schema, null, { kind: 'private', vat: 'FR123456789' }), { kind: 'private' })
  assert.deepEqual(judge(schema, { kind: 'private' }, { vat: 7 }), {})
  assert.deepEqual(judge(schema, { kind: 'private' }, { vat: null }), {})
  assert.deepEqual(judge(schema, { kind: 'business' }, { vat: 'FR123456789' }), { vat: 'FR123456789' })
  assert.deepEqual(
    judge(schema, { kind: 'private' }, { kind: 'business', vat: 'short' }),
    refused('vat', 'minLength', { minLength: 9 }),
  )
  // So it asks for no other field, either.
  const asking = compiled([kind, text('vat', { visibleWhen: business }), text('why', { requiredWhen: unset('vat') })])
  assert.deepEqual(judge(asking, { kind: 'private' }, { vat: 'FR123456789' }), {})
})

test('clears a stored value in the write that hides it, even of a required field', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, required: true })])
  const stored = { kind: 'business', vat: 'FR1' }
  assert.deepEqual(judge(schema, stored, { kind: 'private' }), { kind: 'private', vat: null })
  assert.deepEqual(judge(schema, stored, { kind: null, vat: 'FR2' }), { kind: null, vat: null })
  assert.deepEqual(judge(schema, stored, { kind: 'business' }), { kind: 'business' })
})

test('an invalid value counts as not sent: it hides and shows nothing', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, rules: { minLength: 3 } })])
  const details = judge(schema, { kind: 'business', vat: 'FR1' }, { kind: 'other', vat: 'x' })
  assert.deepEqual(Object.keys(details), ['kind', 'vat'])
  const asking = compiled([kind, text('vat', { requiredWhen: business, rules: { minLength: 3 } })])
  const short = refused('vat', 'minLength', { minLength: 3 })
  assert.deepEqual(judge(asking, null, { kind: 'business', vat: 'x' }), short)
})

test('reads a hidden field as null, so that what depends on it is hidden with it', () => {
  const schema = compiled([
    text('c', { visibleWhen: isSet('b') }),
    text('b', { visibleWhen: isSet('a') }),
    text('a'),
    text('without', { visibleWhen: unset('b') }),
  ])
  const stored = { a: '1', b: '2', c: '3' }
  assert.deepEqual(judge(schema, stored, { a: null, without: 'x' }), { a: null, c: null, b: null, without: 'x' })
  assert.deepEqual(schema.present({ b: '2', c: '3', without: 'x' }), { c: null, b: null, a: null, without: 'x' })
  assert.deepEqual([...schema.hidden(stored)], ['without'])
})

test('shows null for hidden fields to every reader', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business })])
  const stored = { kind: 'private', vat: 'FR1' }
  for (const reader of ['user', 'operator'] as const) {
    assert.deepEqual(schema.present(stored, reader), { kind: 'private', vat: null })
  }
})

test('clears a value that was hidden before the update, so that it does not reappear', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, writeOnce: true }), text('nick')])
  const stored = { kind: 'private', vat: 'FR1' }
  assert.deepEqual(judge(schema, stored, { nick: 'x' }), { nick: 'x', vat: null })
  assert.deepEqual(judge(schema, stored, { kind: 'business' }), { kind: 'business', vat: null })
  assert.deepEqual(judge(schema, stored, { kind: 'business', vat: 'FR2' }), { kind: 'business', vat: 'FR2' })
})

test('refuses to change a field while it is locked, and accepts the same value', () => {
  const schema = compiled([
    select('state', 'draft', 'verified'),
    text('name', { lockedWhen: { field: 'state', is: 'verified' }, rules: { minLength: 3 } }),
  ])
  const stored = { state: 'verified', name: 'Jane' }
  assert.deepEqual(judge(schema, stored, { name: 'Joan' }), refused('name', 'lockedWhen'))
  assert.deepEqual(judge(schema, stored, { name: null }), refused('name', 'lockedWhen'))
  assert.deepEqual(judge(schema, stored, { name: 'Jane' }), { name: 'Jane' })
  assert.deepEqual(judge(schema, stored, { name: 'x' }), refused('name', 'minLength', { minLength: 3 }))
  // The rules have become stricter since the value was stored.
  assert.deepEqual(judge(schema, { ...stored, name: 'Jo' }, { name: 'Jo' }), { name: 'Jo' })
  assert.deepEqual(judge(schema, { state: 'verified' }, { name: 'Jane' }), refused('name', 'lockedWhen'))
  assert.deepEqual(judge(schema, { state: 'verified' }, { name: null }), { name: null })
  const judged = schema.validate({ name: 'Joan' }, client(stored))
  assert.ok('validation' in judged)
  assert.deepEqual(judged.validation, { name: REFUSED })
})

test('a value that a lock refuses decides about no other field (ACCESS-10)', () => {
  const vat = text('vat', { visibleWhen: business, writeOnce: true })
  const why = text('why', { requiredWhen: { field: 'kind', is: 'private' } })
  const schema = compiled([{ ...kind, lockedWhen: isSet('vat') }, vat, why])
  const both = { ...refused('kind', 'lockedWhen'), ...refused('vat', 'type', { expected: 'string' }) }
  assert.deepEqual(judge(schema, { kind: 'business', vat: 'FR1' }, { kind: 'private', vat: 7 }), both)
})

test('judges a lock on the stored profile, not on the update', () => {
  const schema = compiled([
    text('name', { lockedWhen: { field: 'done', is: true } }),
    { name: 'done', type: 'boolean' },
  ])
  assert.deepEqual(judge(schema, { name: 'a' }, { name: 'b', done: true }), { name: 'b', done: true })
  assert.deepEqual(judge(schema, { name: 'a', done: true }, { name: 'b', done: false }), refused('name', 'lockedWhen'))
  assert.deepEqual(judge(schema, null, { name: 'b', done: true }), { name: 'b', done: true })
})

test('a lock reads hidden fields as null', () => {
  const done = { name: 'done', type: 'boolean', visibleWhen: business }
  const schema = compiled([kind, done, text('name', { lockedWhen: { field: 'done', is: true } })])
  assert.deepEqual(judge(schema, { kind: 'private', done: true, name: 'a' }, { name: 'b' }), { name: 'b', done: null })
})

test('refuses an update that would hide, and so clear, a value that the client cannot change', () => {
  const protections: [object, string][] = [
    [{ lockedWhen: isSet('kind') }, 'lockedWhen'],
    [{ writable: false }, 'writable'],
    [{ writeOnce: true }, 'writeOnce'],
  ]
  for (const [protection, rule] of protections) {
    const schema = compiled([kind, text('vat', { visibleWhen: business, ...protection })])
    const stored = { kind: 'business', vat: 'FR1' }
    assert.deepEqual(judge(schema, stored, { kind: 'private' }), refused('vat', rule))
    assert.deepEqual(judge(schema, { kind: 'business' }, { kind: 'private' }), { kind: 'private' })
    assert.deepEqual(judge(schema, stored, { kind: 'private' }, true), { kind: 'private', vat: null })
  }
})

test('lets a client hide a write-once value that another person may have stored', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, writeOnce: true })])
  const current = { kind: 'business', vat: 'FR1' }
  const judged = schema.validate({ kind: 'private' }, { ...client(current), unproven: ['vat'] })
  assert.deepEqual(judged, { values: { kind: 'private', vat: null } })
})

test('requires a value while requiredWhen holds', () => {
  const schema = compiled([kind, text('vat', { requiredWhen: business }), text('nick')])
  assert.deepEqual(judge(schema, null, { kind: 'business' }), refused('vat', 'requiredWhen'))
  assert.deepEqual(judge(schema, null, { kind: 'business', vat: 'FR1' }), { kind: 'business', vat: 'FR1' })
  assert.deepEqual(judge(schema, { kind: 'business', vat: 'FR1' }, { vat: null }), refused('vat', 'requiredWhen'))
  assert.deepEqual(judge(schema, { kind: 'private', vat: 'FR1' }, { vat: null }), { vat: null })
})

test('judges requiredWhen only when the update concerns it, so that old profiles can be edited', () => {
  const schema = compiled([kind, text('vat', { requiredWhen: business }), text('nick')])
  assert.deepEqual(judge(schema, { kind: 'business' }, { nick: 'x' }), { nick: 'x' })
  assert.deepEqual(judge(schema, { kind: 'business' }, { vat: null }), refused('vat', 'requiredWhen'))
  assert.deepEqual(judge(schema, { kind: 'business' }, { kind: 'business' }), refused('vat', 'requiredWhen'))
  const readOnly = compiled([{ ...kind, writable: false }, text('vat', { requiredWhen: business })])
  assert.deepEqual(judge(readOnly, { kind: 'business' }, { kind: 'business' }), {})
})

test('requires a field when hiding clears the one that its condition reads', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business }), text('card', { requiredWhen: unset('vat') })])
  const stored = { kind: 'business', vat: 'FR1' }
  assert.deepEqual(judge(schema, stored, { kind: 'private' }), refused('card', 'requiredWhen'))
  assert.deepEqual(judge(schema, stored, { kind: 'private', card: 'x' }), { kind: 'private', card: 'x', vat: null })
})

test('does not require a hidden field', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business, requiredWhen: isSet('kind') })])
  assert.deepEqual(judge(schema, null, { kind: 'private' }), { kind: 'private' })
  assert.deepEqual(judge(schema, null, { kind: 'business' }), refused('vat', 'requiredWhen'))
})

test('binds the operator by required fields and options, not by locks', () => {
  const plan = { ...select('plan', 'free', 'pro'), options: [{ value: 'free' }, { value: 'pro', when: business }] }
  const schema = compiled([kind, text('vat', { requiredWhen: business, lockedWhen: isSet('kind') }), plan])
  assert.deepEqual(judge(schema, { kind: 'private', vat: 'a' }, { vat: 'b' }, true), { vat: 'b' })
  assert.deepEqual(judge(schema, null, { kind: 'business' }, true), refused('vat', 'requiredWhen'))
  assert.deepEqual(judge(schema, null, { plan: 'pro' }, true), refused('plan', 'options', { options: ['free'] }))
})

test('offers an option only while its condition holds', () => {
  const options = [{ value: 'free' }, { value: 'pro', when: business }, { value: 'max', when: business }]
  const schema = compiled([kind, { name: 'plan', type: 'select', options }, text('nick')])
  const refusal = refused('plan', 'options', { options: ['free'] })
  assert.deepEqual(judge(schema, null, { kind: 'private', plan: 'pro' }), refusal)
  assert.deepEqual(judge(schema, null, { kind: 'business', plan: 'pro' }), { kind: 'business', plan: 'pro' })
  const stored = { kind: 'business', plan: 'pro' }
  assert.deepEqual(judge(schema, stored, { kind: 'private' }), refusal)
  assert.deepEqual(judge(schema, stored, { kind: 'private', plan: null }), { kind: 'private', plan: null })
  assert.deepEqual(judge(schema, stored, { kind: 'private', plan: 'free' }), { kind: 'private', plan: 'free' })
  assert.deepEqual(judge(schema, { kind: 'private', plan: 'pro' }, { nick: 'x' }), { nick: 'x' })
  assert.deepEqual(judge(schema, { kind: 'private', plan: 'pro' }, { plan: 'pro' }), refusal)
})

test('judges each chosen option of a multiselect', () => {
  const options = [{ value: 'a' }, { value: 'b', when: business }]
  const schema = compiled([kind, { name: 'extras', type: 'multiselect', options }])
  assert.deepEqual(judge(schema, { kind: 'private' }, { extras: ['a'] }), { extras: ['a'] })
  assert.deepEqual(
    judge(schema, { kind: 'private' }, { extras: ['a', 'b'] }),
    refused('extras', 'options', { options: ['a'] }),
  )
})

test('a form does not require fields that are hidden', () => {
  const schema = compiled([kind, text('vat', { visibleWhen: business })], {
    forms: { signUp: { fields: ['kind', 'vat'], required: ['kind', 'vat'] } },
  })
  const form = (update: object) => {
    const judged = schema.validateForm('signUp', { ...update }, { now: NOW })
    return 'validation' in judged ? judged.validation : judged.values
  }
  assert.deepEqual(form({ kind: 'private' }), { kind: 'private' })
  assert.deepEqual(form({ kind: 'private', vat: 'FR1' }), { kind: 'private' })
  assert.deepEqual(form({ kind: 'business' }), { vat: 'Required' })
  assert.deepEqual(form({ kind: 'business', vat: null }), { vat: REFUSED })
  assert.deepEqual(form({}), { kind: 'Required' })
})

test('a stored value of another JSON type reads as null', () => {
  const schema = compiled([{ name: 'size', type: 'integer' }, text('a', { visibleWhen: isSet('size') })])
  assert.deepEqual(schema.present({ size: '12', a: 'x' }), { size: null, a: null })
  assert.deepEqual(judge(schema, { size: '12', a: 'x' }, {}), { a: null })
})

test('a locked consent accepts the same answer without the time of the service', () => {
  const consent = { name: 'terms', type: 'consent', lockedWhen: business }
  const schema = compiled([kind, consent, text('nick', { visibleWhen: { field: 'terms', is: true } })])
  const stored = {
    kind: 'business',
    terms: { accepted: true, version: '1', at: '2025-01-01T00:00:00.000Z' },
    nick: 'x',
  }
  assert.deepEqual(judge(schema, stored, { terms: { accepted: true, version: '1' } }), { terms: stored.terms })
  const withdrawn = { terms: { accepted: false, version: '1' } }
  assert.deepEqual(judge(schema, stored, withdrawn), refused('terms', 'lockedWhen'))
  const changed = schema.validate(withdrawn, operator(stored))
  assert.ok('values' in changed)
  assert.deepEqual([Object.keys(changed.values), changed.values['nick']], [['terms', 'nick'], null])
})
