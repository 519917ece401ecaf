import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRule } from './rule-in-words.ts'

test('adds the rule to a message that names none', () => {
  const notMet = 'Validation rule not met'
  assert.equal(withRule(notMet, { rule: 'unique' }), 'Validation rule not met (unique)')
  assert.equal(
    withRule(notMet, { rule: 'options', options: ['fr', 'de'] }),
    'Validation rule not met (options: fr, de)',
  )
  assert.equal(withRule(notMet, { rule: 'max', max: 9 }), 'Validation rule not met (max: 9)')
})

test('shows the beginning of many parameters', () => {
  const message = withRule('Validation rule not met', { rule: 'options', options: Array(200).fill('option') })
  assert.match(message, /^Validation rule not met \(options: option, [a-z, ]{72}…\)$/)
})

test('leaves a message that says what is wrong, and one without a rule', () => {
  assert.equal(withRule('Required', { rule: 'required' }), 'Required')
  assert.equal(withRule('Validation rule not met', undefined), 'Validation rule not met')
})
