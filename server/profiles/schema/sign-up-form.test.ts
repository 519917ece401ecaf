import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compiled, NOW } from './schema.testkit.ts'

const schema = compiled(
  [
    { name: 'firstName', type: 'text', required: true },
    { name: 'terms', type: 'boolean', rules: { mustBeTrue: true } },
    { name: 'nickname', type: 'text' },
  ],
  {
    forms: {
      signUp: { fields: ['firstName', 'terms', 'nickname'], required: ['firstName', 'terms'] },
      edit: { fields: [] },
    },
  },
)

test('requires the form’s required fields to be present and not null', () => {
  assert.deepEqual(schema.validateForm('signUp', {}, { now: NOW }), {
    validation: { firstName: 'Required', terms: 'Required' },
    details: { firstName: { rule: 'required' }, terms: { rule: 'required' } },
  })
  assert.deepEqual(schema.validateForm('signUp', { firstName: null, terms: null }, { now: NOW }), {
    validation: { firstName: 'Validation rule not met', terms: 'Validation rule not met' },
    details: { firstName: { rule: 'required' }, terms: { rule: 'required' } },
  })
})

test('validates present fields like an update', () => {
  assert.deepEqual(schema.validateForm('signUp', { firstName: '', terms: false, nickname: 7 }, { now: NOW }), {
    validation: {
      firstName: 'String must contain at least 1 character(s)',
      terms: 'Validation rule not met',
      nickname: 'Expected string, received number',
    },
    details: {
      firstName: { rule: 'minLength', minLength: 1 },
      terms: { rule: 'mustBeTrue' },
      nickname: { rule: 'type', expected: 'string' },
    },
  })
  assert.deepEqual(schema.validateForm('signUp', { firstName: 'Ada', terms: true, other: 1 }, { now: NOW }), {
    values: { firstName: 'Ada', terms: true },
  })
})

test('requires nothing for an unknown form', () => {
  for (const form of ['edit', 'unknown', 'toString', '__proto__']) {
    assert.deepEqual(schema.validateForm(form, { nickname: 'x' }, { now: NOW }), { values: { nickname: 'x' } })
  }
})
