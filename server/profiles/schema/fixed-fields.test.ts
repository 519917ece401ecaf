import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import { client, compiled, operator } from './schema.testkit.ts'

/** Of a schema with a country, which the user can change, and one other field. */
function judgeWith(field: object) {
  const country = { name: 'country', type: 'select', options: ['FR', 'DE', 'IT'].map((value) => ({ value })) }
  const schema = compiled([country, { name: 'kind', type: 'text' }, field])
  return (current: ProfileValues, update: object, by = client) => {
    const judged = schema.validate({ ...update }, by(current))
    return 'validation' in judged ? judged.details : judged.values
  }
}

const inFrance = { field: 'country', is: 'FR' }
const stored = { kind: 'business', country: 'DE', plan: 'pro' }
const locked = { lockedWhen: { field: 'kind', is: 'business' } }

test('refuses no update for a choice that was impossible before and that the client cannot change (ACCESS-9)', () => {
  const plan = { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro', when: inFrance }] }
  const refusal = { plan: { rule: 'options', options: ['free'] } }
  for (const fixed of [{ writable: false }, { writeOnce: true }, locked]) {
    const judge = judgeWith({ ...plan, ...fixed })
    assert.deepEqual(judge(stored, { country: 'IT' }), { country: 'IT' })
    assert.deepEqual(judge({ ...stored, country: 'FR' }, { country: 'IT' }), refusal)
    assert.deepEqual(judge(stored, { country: 'IT' }, operator), refusal)
    if (!('writable' in fixed)) assert.deepEqual(judge(stored, { plan: 'pro' }), { plan: 'pro' })
  }
  assert.deepEqual(judgeWith(plan)(stored, { country: 'IT' }), refusal)
})

test('judges each impossible choice by itself', () => {
  const options = [
    { value: 'a', when: inFrance },
    { value: 'b', when: { field: 'country', isNot: 'IT' } },
  ]
  const judge = judgeWith({ name: 'extras', type: 'multiselect', options, writable: false })
  const current = { ...stored, extras: ['a', 'b'] }
  assert.deepEqual(judge(current, { country: 'DE' }), { country: 'DE' })
  assert.deepEqual(judge(current, { country: 'IT' }), { extras: { rule: 'options', options: [] } })
})

test('refuses no update for a value that was missing before and that the client cannot set (ACCESS-8)', () => {
  const vat = { name: 'vat', type: 'text', requiredWhen: { not: inFrance } }
  const refusal = { vat: { rule: 'requiredWhen' } }
  for (const fixed of [{ writable: false }, locked]) {
    const judge = judgeWith({ ...vat, ...fixed })
    assert.deepEqual(judge(stored, { country: 'IT' }), { country: 'IT' })
    assert.deepEqual(judge({ ...stored, country: 'FR' }, { country: 'IT' }), refusal)
    assert.deepEqual(judge(stored, { country: 'IT' }, operator), refusal)
  }
  for (const free of [{}, { writeOnce: true }]) {
    assert.deepEqual(judgeWith({ ...vat, ...free })(stored, { country: 'IT' }), refusal)
  }
})
