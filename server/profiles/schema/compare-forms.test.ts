import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareProfileSchemas } from './compare-profile-schemas.ts'
import { changes, defined } from './schema.testkit.ts'

const text = (name: string) => ({ name, type: 'text' })
const both = [text('a'), text('b')]
const steps = (...named: [string, ...string[]][]) => ({
  steps: [{ step: 'address', verify: 'email' }, ...named.map(([step, ...fields]) => ({ step, fields }))],
})

test('reports the fields of a form or a step that is removed, since clients that name it are refused', () => {
  const before = { forms: { onboarding: steps(['one', 'a'], ['two', 'b']) } }
  assert.deepEqual(changes(both, both, before, before), [])
  assert.deepEqual(changes(both, both, {}, before), ['a narrowed', 'b narrowed'])
  assert.deepEqual(changes(both, both, { forms: { onboarding: steps(['one', 'a', 'b']) } }, before), ['b narrowed'])
  assert.deepEqual(changes(both, both, { forms: { onboarding: { fields: ['a', 'b'] } } }, before), [
    'a narrowed',
    'b narrowed',
  ])
  const [form] = compareProfileSchemas(defined({ components: both, ...before }), defined({ components: both }))
  assert.equal(form!.message, 'Form onboarding is removed; clients that name it are refused.')
  const fields = { forms: { contact: { fields: ['a'] }, toString: { fields: ['b'] } } }
  assert.deepEqual(changes(both, both, {}, fields), ['a narrowed', 'b narrowed'])
})

test('reports no form that no client names, and no field that is removed with its form twice', () => {
  const forms = { signUp: { fields: ['a'] }, onboarding: steps(['one', 'b']) }
  assert.deepEqual(changes(both, [text('a')], {}, { forms }), ['b removed'])
  const rename = { migrations: [{ rename: { from: 'b', to: 'c' } }] }
  const renamed = [text('a'), text('c')]
  assert.deepEqual(changes(both, renamed, rename, { forms }), ['b narrowed'])
  assert.deepEqual(changes(both, renamed, { ...rename, forms: { onboarding: steps(['one', 'c']) } }, { forms }), [])
})
