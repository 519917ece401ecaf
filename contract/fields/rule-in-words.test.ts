import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsInWords } from './rule-in-words.ts'

const notMet = 'Validation rule not met'

test('adds the rule to a message that names none', () => {
  const validation = { email: notMet, country: notMet, age: notMet }
  const words = fieldsInWords({
    validation,
    details: {
      email: { rule: 'unique' },
      country: { rule: 'options', options: ['fr', 'de'] },
      age: { rule: 'max', max: 9 },
    },
  })
  assert.deepEqual(words, [
    `email: ${notMet} (unique)`,
    `country: ${notMet} (options: fr, de)`,
    `age: ${notMet} (max: 9)`,
  ])
})

test('shows the beginning of many parameters', () => {
  const details = { country: { rule: 'options', options: Array(200).fill('option') } } as const
  const [words] = fieldsInWords({ validation: { country: notMet }, details })
  assert.match(words!, /^country: Validation rule not met \(options: option, [a-z, ]{72}…\)$/)
})

test('leaves a message that says what is wrong, and one without a rule', () => {
  const details = { name: { rule: 'required' } } as const
  const words = fieldsInWords({ validation: { name: 'Required', phone: notMet }, details })
  assert.deepEqual(words, ['name: Required', `phone: ${notMet}`])
  assert.deepEqual(fieldsInWords({}), [])
})
