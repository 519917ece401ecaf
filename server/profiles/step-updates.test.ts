import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldForm, stepsOf } from '../../contract/fields/forms/form-steps.ts'
import { validateStep } from '../../contract/fields/forms/validate-step.ts'
import { compiled, NOW } from './schema/schema.testkit.ts'

const options = ['private', 'business'].map((value) => ({ value }))
const isBusiness = { field: 'kind', is: 'business' }
const schema = compiled(
  [
    { name: 'kind', type: 'select', options },
    { name: 'name', type: 'text' },
    { name: 'nick', type: 'text', required: true },
    { name: 'vat', type: 'text', visibleWhen: isBusiness, requiredWhen: isBusiness },
    { name: 'size', type: 'integer' },
    { name: 'seat', type: 'address' },
    { name: 'contact', type: 'text', requiredWhen: isBusiness },
  ],
  {
    forms: {
      onboarding: {
        steps: [
          { step: 'who', fields: ['kind', 'name', 'nick'], required: ['name', 'nick'] },
          { step: 'mail', verify: 'email' },
          { step: 'where', fields: ['seat'], required: ['seat'] },
          { step: 'firm', fields: ['vat', 'size'], required: ['vat', 'size'], visibleWhen: isBusiness },
        ],
      },
      flat: { fields: ['name'], required: ['name'] },
    },
  },
)

function save(step: string, update: object, current: Record<string, string | number | null> | null = null) {
  const form = schema.schema.forms[step === 'form' ? 'flat' : 'onboarding'] as FieldForm
  const saved = { form, step: stepsOf(form).find((one) => one.step === step)!, components: schema.schema.components }
  return validateStep(schema, saved, update as Record<string, unknown>, { now: NOW, operator: false, current })
}
const validation = (...args: Parameters<typeof save>) => {
  const judged = save(...args)
  return 'validation' in judged ? judged.validation : null
}

test('ignores fields of other steps and of none, even when invalid', () => {
  assert.deepEqual(save('who', { name: 'Ada', nick: 'a', size: 'large', other: 1 }), {
    values: { name: 'Ada', nick: 'a' },
  })
  assert.deepEqual(save('mail', { name: 7 }), { values: {} })
})

test('requires values for required fields in the profile after the update', () => {
  assert.deepEqual(save('who', {}), {
    validation: { name: 'Required', nick: 'Required' },
    details: { name: { rule: 'required' }, nick: { rule: 'required' } },
  })
  assert.equal(validation('who', { nick: 'a' }, { name: 'Ada' }), null)
  assert.deepEqual(validation('who', { nick: 'a' }, { name: null }), { name: 'Required' })
  assert.deepEqual(validation('who', { nick: 'a' }, { name: 7 }), { name: 'Required' })
  assert.equal(validation('form', { name: 'Ada' }), null)
  assert.deepEqual(validation('form', {}), { name: 'Required' })
})

test('refuses null for a required field, and keeps the message of an invalid value', () => {
  const refused = { name: 'Validation rule not met', nick: 'Validation rule not met' }
  assert.deepEqual(validation('who', { name: null, nick: null }, { name: 'Ada', nick: 'a' }), refused)
  assert.deepEqual(validation('where', { seat: {} }), { seat: 'Validation rule not met' })
  assert.deepEqual(validation('who', { name: 7, nick: '' }), {
    name: 'Expected string, received number',
    nick: 'String must contain at least 1 character(s)',
  })
})

test('requires nothing of hidden steps, and no hidden fields', () => {
  assert.equal(validation('firm', {}, { kind: 'private' }), null)
  assert.deepEqual(save('firm', { size: 3, vat: 'FR1' }, { kind: 'private' }), { values: { size: 3 } })
  assert.deepEqual(validation('firm', {}, { kind: 'business' }), { vat: 'Required', size: 'Required' })
})

test('leaves requiredWhen of fields in other steps to those steps, but not that of fields outside the form', () => {
  const asked = { contact: 'Validation rule not met' }
  assert.deepEqual(validation('who', { kind: 'business', name: 'Ada', nick: 'a' }), asked)
  assert.equal(validation('who', { kind: 'business', name: 'Ada', nick: 'a' }, { contact: 'Bob' }), null)
  const update = { kind: 'business', name: 'Ada', nick: 'a', contact: 'Bob' }
  assert.deepEqual(schema.validate(update, { now: NOW, operator: false, current: null }), {
    validation: { vat: 'Validation rule not met' },
    details: { vat: { rule: 'requiredWhen' } },
  })
})
