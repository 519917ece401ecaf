import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormSubject, formStateOf } from './form-state.ts'
import { limitToStep, requiredFieldsOf } from './form-steps.ts'

const subject: FormSubject = {
  values: {},
  hidden: new Set(),
  refused: [],
  asked: [],
  verified: { email: false, phone: false },
}
const form = {
  steps: [
    { step: 'who', fields: ['name', 'nick'], required: ['name'] },
    { step: 'mail', verify: 'email' as const },
    { step: 'more', fields: ['toString'] },
  ],
}
const step = (name: string, more: object = {}) => ({ step: name, complete: true, missing: [], invalid: [], ...more })

test('names the first step that is not complete', () => {
  assert.deepEqual(formStateOf(form, subject), {
    complete: false,
    nextStep: 'who',
    steps: [step('who', { complete: false, missing: ['name'] }), step('mail', { complete: false }), step('more')],
  })
  const named = { ...subject, values: { name: 'Ada', nick: null } }
  assert.equal(formStateOf(form, named).nextStep, 'mail')
  assert.equal(formStateOf(form, { ...named, verified: { email: false, phone: true } }).nextStep, 'mail')
  assert.deepEqual(formStateOf(form, { ...named, verified: { email: true, phone: false } }), {
    complete: true,
    nextStep: null,
    steps: [step('who'), step('mail'), step('more')],
  })
})

test('lists set fields that the schema refuses as invalid, in their step, and unset ones only as missing', () => {
  const values = { name: '', nick: 'x', other: 1 }
  assert.deepEqual(formStateOf(form, { ...subject, values, refused: ['nick', 'other'] }).steps, [
    step('who', { complete: false, invalid: ['nick'] }),
    step('mail', { complete: false }),
    step('more'),
  ])
  const unset = formStateOf(form, { ...subject, refused: ['nick'], asked: ['nick'] }).steps[0]
  assert.deepEqual(unset, step('who', { complete: false, missing: ['name', 'nick'] }))
})

test('treats a form with fields as one step named form', () => {
  const flat = { fields: ['name'], required: ['name'] }
  assert.deepEqual(formStateOf(flat, subject), {
    complete: false,
    nextStep: 'form',
    steps: [step('form', { complete: false, missing: ['name'] })],
  })
  assert.deepEqual(requiredFieldsOf(flat), ['name'])
  assert.deepEqual(requiredFieldsOf({ fields: ['name'] }), [])
})

test('takes only the own members of an update that are fields of the step', () => {
  const update = JSON.parse('{"name": null, "other": 1, "__proto__": {"nick": 1}}')
  assert.deepEqual(limitToStep(update, form.steps[0]!), { name: null })
  assert.deepEqual(limitToStep(update, form.steps[1]!), {})
  assert.deepEqual(limitToStep({}, form.steps[2]!), {})
})

test('leaves out steps whose visibleWhen does not hold, and hidden fields', () => {
  const conditional = {
    steps: [
      { step: 'who', fields: ['kind', 'nick'], required: ['kind', 'nick'] },
      { step: 'firm', fields: ['vat'], required: ['vat'], visibleWhen: { field: 'kind', is: 'business' } },
    ],
  }
  const hidden = new Set(['nick'])
  const stepsOf = (values: FormSubject['values']) => formStateOf(conditional, { ...subject, values, hidden }).steps
  assert.deepEqual(stepsOf({ kind: null }), [step('who', { complete: false, missing: ['kind'] })])
  assert.deepEqual(stepsOf({ kind: 'private' }), [step('who')])
  assert.deepEqual(stepsOf({ kind: 'business' }), [step('who'), step('firm', { complete: false, missing: ['vat'] })])
})
