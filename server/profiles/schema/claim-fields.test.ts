import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compiled, NOW } from './schema.testkit.ts'

const claim = { claim: true, claimFromUser: true }
const schema = compiled([
  { name: 'plan', type: 'text', ...claim },
  { name: 'site', type: 'url', ...claim },
  { name: 'level', type: 'integer', ...claim },
  { name: 'bio', type: 'text' },
])
const judge = (update: object, operator = false) =>
  schema.validate({ ...update }, { now: NOW, operator, current: null })

test('refuses a claim of more than 256 UTF-8 bytes', () => {
  for (const [character, bytes] of [
    ['x', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
  ] as const) {
    const longest = character.repeat(Math.floor(256 / bytes))
    assert.deepEqual(judge({ plan: longest }), { values: { plan: longest } })
    const refused = {
      validation: { plan: 'Validation rule not met' },
      details: { plan: { rule: 'maxLength', maxLength: 256 } },
    }
    assert.deepEqual(judge({ plan: longest + character }), refused)
    assert.deepEqual(judge({ plan: longest + character }, true), refused)
    assert.deepEqual(judge({ bio: longest.repeat(4) }), { values: { bio: longest.repeat(4) } })
  }
})

test('judges the rules of the type first', () => {
  assert.deepEqual(judge({ site: 'x'.repeat(300), plan: 7, level: 1e9 }), {
    validation: { site: 'Validation rule not met', plan: 'Expected string, received number' },
    details: { site: { rule: 'format', format: 'url' }, plan: { rule: 'type', expected: 'string' } },
  })
})
