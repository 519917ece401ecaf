import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes } from './schema.testkit.ts'

const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more })
const select = (...values: string[]) => ({ name: 'a', type: 'select', options: values.map((value) => ({ value })) })

test('reports conditions that are added or changed, not those that are removed or read a renamed field', () => {
  const country = select('FR', 'DE')
  const is = (value: string, field = 'a') => ({ field, is: value })
  for (const key of ['lockedWhen', 'visibleWhen', 'requiredWhen']) {
    assert.deepEqual(changes([country, text('b')], [country, text('b', { [key]: is('FR') })]), ['b conditional'])
    const before = [country, text('b', { [key]: is('FR') })]
    assert.deepEqual(changes(before, [country, text('b', { [key]: is('DE') })]), ['b conditional'])
    assert.deepEqual(changes(before, [country, text('b', { [key]: { is: 'FR', field: 'a' } })]), [])
    assert.deepEqual(changes(before, [country, text('b')]), [])
    const rename = { migrations: [{ rename: { from: 'a', to: 'land' } }] }
    for (const part of ['all', 'any']) {
      const after = [{ ...country, name: 'land' }, text('b', { [key]: { [part]: [{ not: is('DE', 'land') }] } })]
      assert.deepEqual(changes([country, text('b', { [key]: { [part]: [{ not: is('DE') }] } })], after, rename), [])
    }
  }
})

test('reports a field that is required of more users because it is no longer hidden', () => {
  const kind = select('private', 'business')
  const business = { field: 'a', is: 'business' }
  const vat = (more: object = {}) => [kind, text('vat', more)]
  const inFrance = { requiredWhen: { field: 'land', is: 'FR' } }
  const land = text('land')
  assert.deepEqual(changes([land, ...vat({ ...inFrance, visibleWhen: business })], [land, ...vat(inFrance)]), [
    'vat conditional',
  ])
  const both = { visibleWhen: business, requiredWhen: business }
  assert.deepEqual(changes(vat(both), vat({ requiredWhen: business })), [])
  const form = { forms: { signUp: { fields: ['vat'], required: ['vat'] } } }
  assert.deepEqual(changes(vat({ visibleWhen: business }), vat(), form, form), ['vat narrowed'])
  assert.deepEqual(changes(vat(), vat(), form, form), [])
  const hidden = vat({ visibleWhen: business })
  assert.deepEqual(changes(hidden, hidden, form, form), [])
})

test('reports options that get a condition, and a new field that can refuse updates of others', () => {
  const plan = (when?: object) => ({
    name: 'plan',
    type: 'select',
    options: [{ value: 'free' }, { value: 'pro', when }],
  })
  const when = { field: 'a', set: true }
  assert.deepEqual(changes([text('a'), plan()], [text('a'), plan(when)]), ['plan conditional'])
  assert.deepEqual(changes([text('a'), plan(when)], [text('a'), plan()]), [])
  assert.deepEqual(changes([text('a')], [text('a'), text('b', { requiredWhen: when })]), ['b conditional'])
  const either = { requiredWhen: { any: [{ field: 'c', set: true }, when] } }
  assert.deepEqual(changes([text('a')], [text('a'), text('c'), text('b', either)]), ['b conditional'])
  assert.deepEqual(
    changes([text('a')], [text('a'), text('b', { visibleWhen: when, lockedWhen: when }), plan(when)]),
    [],
  )
})
