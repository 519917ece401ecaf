import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareProfileSchemas } from './compare-profile-schemas.ts'
import { compileProfileSchema } from './compile-profile-schema.ts'
import { compiled, defined, NOW, problemsOf } from './schema.testkit.ts'

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

test('reports a field that becomes a claim as narrowed if its values can be too long', () => {
  const changes = (field: object, more: object = claim) => {
    const [before, after] = [{}, more].map((flags) => defined({ components: [{ name: 'a', ...field, ...flags }] }))
    return compareProfileSchemas(before!, after!).map(({ message }) => message)
  }
  const long = ['Becomes a claim; values of more than 256 bytes are refused.']
  assert.deepEqual(changes({ type: 'text' }), long)
  assert.deepEqual(changes({ type: 'url' }), long)
  assert.deepEqual(changes({ type: 'text', rules: { maxLength: 43 } }), long)
  assert.deepEqual(changes({ type: 'text', rules: { maxLength: 42 } }), [])
  assert.deepEqual(changes({ type: 'integer' }), [])
  assert.deepEqual(changes({ type: 'text', writable: false }, { claim: true }), [])
})

test('judges the rules of the type first', () => {
  assert.deepEqual(judge({ site: 'x'.repeat(300), plan: 7, level: 1e9 }), {
    validation: { site: 'Validation rule not met', plan: 'Expected string, received number' },
    details: { site: { rule: 'format', format: 'url' }, plan: { rule: 'type', expected: 'string' } },
  })
})

test('refuses claims that disclose a value, since users can read their tokens', () => {
  const problemOf = (more: object) => {
    const component = { name: 'risk', type: 'text', claim: true, writable: false, ...more }
    const problems = problemsOf({ components: [component] })
    assert.deepEqual(Object.keys(problems), ['components.risk.claim'])
    return problems['components.risk.claim']!
  }
  const unreadable = 'a field that users cannot read cannot be a claim, because users can read their tokens; remove one'
  assert.equal(problemOf({ readable: false }), unreadable)
  assert.equal(problemOf({ readable: false, writable: true, claimFromUser: true }), unreadable)
  const sensitive = /^a sensitive field cannot be a claim, because tokens are not encrypted; /
  assert.match(problemOf({ sensitive: true }), sensitive)
  assert.match(problemOf({ sensitive: true, readable: false }), sensitive)
})

test('refuses an option that no claim can hold', () => {
  const schemaOf = (value: string, more: object = claim) => ({
    components: [{ name: 'plan', type: 'select', options: [{ value: 'free' }, { value }], ...more }],
  })
  for (const value of ['é'.repeat(128), '€'.repeat(85), '\u0001'.repeat(42)]) defined(schemaOf(value))
  const message = 'a claim has at most 256 bytes; shorten it, or remove "claim"'
  for (const value of ['€'.repeat(86), '😀'.repeat(128), '\u0001'.repeat(43)]) {
    assert.deepEqual(problemsOf(schemaOf(value)), { 'components.plan.options.1.value': message })
    defined(schemaOf(value, {}))
  }
})

test('compiles a stored schema with such a claim, which earlier versions published', () => {
  const stored = defined({ components: [{ name: 'risk', type: 'text', claim: true, writable: false }] })
  const [risk] = stored.components
  const { claims, present } = compileProfileSchema({ ...stored, components: [{ ...risk!, readable: false }] })
  assert.deepEqual(
    [claims, present({ risk: 'low' }), present({ risk: 'low' }, 'operator')],
    [['risk'], {}, { risk: 'low' }],
  )
})
