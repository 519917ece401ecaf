import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ProfileSchemaInput, StoredProfileSchema } from '../../../../contract/profile-schema.ts'
import { sampleSize } from '../../../../test/support/runner/sample-size.ts'
import { compileProfileSchema } from '../compile-profile-schema.ts'
import { defined, problemsOf } from '../schema.testkit.ts'
import { defineProfileSchema, emptyProfileSchema } from './define-profile-schema.ts'

const example = {
  version: '2026-01',
  components: [
    { name: 'firstName', type: 'text', label: 'First name', required: true, rules: { maxLength: 100, minLength: 1 } },
    {
      name: 'birthDate',
      type: 'date',
      label: { default: 'Date of birth', fr: 'Date de naissance', 'pt-BR': 'Data de nascimento' },
      description: 'Why we ask',
      placeholder: '1990-12-31',
      rules: { minAge: 13 },
      writable: true,
      writeOnce: true,
    },
    { name: 'country', type: 'select', options: [{ value: 'fr', label: 'France' }, { value: 'de' }] },
  ],
  presentation: [{ section: 'about', title: 'About you', fields: ['firstName', 'birthDate'] }],
  forms: { signUp: { title: { default: 'Join' }, fields: ['firstName'], required: ['firstName'] } },
  migrations: [{ rename: { from: 'name', to: 'firstName' } }],
}

test('accepts a valid schema unchanged, like the contract’s schemas', () => {
  const schema = defined(example)
  assert.deepEqual(schema, example)
  assert.deepEqual(StoredProfileSchema.parse(schema), schema)
  assert.deepEqual(ProfileSchemaInput.parse(example), example)
})

test('defaults presentation, forms and migrations to empty, and the version to 1', () => {
  const outcome = defineProfileSchema({ components: [] })
  assert.deepEqual(outcome, {
    schema: { version: '1', components: [], presentation: [], forms: {}, migrations: [] },
  })
  assert.deepEqual(defined(emptyProfileSchema), { ...emptyProfileSchema, migrations: [] })
})

test('returns equal text for equal content in any order', () => {
  const [one, other] = [
    { name: 'a', type: 'text', rules: { minLength: 2, maxLength: 3 }, label: 'A' },
    { label: 'A', rules: { maxLength: 3, minLength: 2 }, type: 'text', name: 'a' },
  ].map((component) => JSON.stringify(defined({ components: [component] })))
  assert.equal(one, other)
})

test('rejects unknown top-level properties', () => {
  assert.deepEqual(Object.keys(problemsOf({ components: [], fields: [], Version: '1' })), ['fields', 'Version'])
})

test('requires a version of 1 to 64 allowed characters', () => {
  for (const version of ['1', '2026-01', 'v1.2_b', 'x'.repeat(64)]) defined({ version, components: [] })
  for (const version of ['', ' 1', '1 ', 'a/b', '-1', 'x'.repeat(65), 'é', 1, {}, '1\n']) {
    assert.deepEqual(Object.keys(problemsOf({ version, components: [] })), ['version'])
  }
})

test('requires an array of at most 200 components', () => {
  const text = (index: number) => ({ name: `field${index}`, type: 'text' })
  defined({ components: Array.from({ length: 200 }, (_, index) => text(index)) })
  for (const components of [undefined, null, {}, 'x', Array.from({ length: 201 }, (_, index) => text(index))]) {
    assert.deepEqual(Object.keys(problemsOf({ components })), ['components'])
  }
})

test('does not report references to components that it refuses as a whole', () => {
  const components = Array.from({ length: 201 }, (_, index) => ({ name: `field${index}`, type: 'text' }))
  const fields = components.map(({ name }) => name)
  const references = {
    presentation: [{ section: 'about', fields }],
    forms: { signUp: { fields } },
    migrations: [{ default: { field: 'field0', value: 'x' } }],
  }
  for (const refused of [components, undefined]) {
    assert.deepEqual(Object.keys(problemsOf({ components: refused, ...references })), ['components'])
  }
})

test('reports all problems at once, up to a hundred', () => {
  const problems = problemsOf({ version: '', components: [{ name: 'A', type: 'x' }], forms: [], presentation: {} })
  assert.deepEqual(Object.keys(problems), [
    'version',
    'components.0.name',
    'components.0.type',
    'presentation',
    'forms',
  ])
  assert.equal(Object.keys(problemsOf({ components: Array(200).fill(1) })).length, 100)
})

test('does not accept an invalid component after the hundredth problem', () => {
  const bad = Array.from({ length: 150 }, (_, index) => ({
    name: `f${index}`,
    type: 'text',
    rules: { pattern: index },
  }))
  const migrations = bad.map(({ name }) => ({ default: { field: name, value: 'x' } }))
  assert.equal(Object.keys(problemsOf({ components: bad, migrations })).length, 100)
})

test('rejects input that is not an object', () => {
  for (const input of [null, undefined, [], 'x', 1, true]) assert.ok('body' in problemsOf(input))
})

test('rejects more than 50 patterns', () => {
  const components = Array.from({ length: 51 }, (_, index) => ({
    name: `f${index}`,
    type: 'text',
    rules: { pattern: '^a$' },
  }))
  assert.deepEqual(Object.keys(problemsOf({ components })), ['components.f50.rules.pattern'])
})

test('validates any input without throwing, and compiles what it accepts', () => {
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withDate: true,
    withSparseArray: true,
    withMap: true,
  })
  const word = fc.constantFrom(
    ...['name', 'type', 'text', 'select', 'list', 'date', 'rules', 'pattern', 'min', 'options'],
  )
  const loose = fc.oneof(anything, word, fc.dictionary(word, fc.oneof(word, anything)))
  const component = fc.record(
    {
      name: fc.oneof(fc.constantFrom('a', 'b', '__proto__'), loose),
      type: fc.oneof(
        fc.constantFrom('text', 'select', 'list', 'number', 'date', 'email', 'phone', 'constructor'),
        loose,
      ),
      rules: fc.oneof(
        fc.dictionary(fc.constantFrom('pattern', 'min', 'maxLength', 'minItems', '__proto__', 'domains'), loose),
        loose,
      ),
      options: fc.oneof(fc.array(fc.record({ value: loose, label: loose }, { requiredKeys: [] })), loose),
      label: loose,
      required: loose,
    },
    { requiredKeys: [] },
  )
  const step = fc.record({ step: loose, fields: fc.array(loose), verify: loose }, { requiredKeys: [] })
  const form = fc.record(
    { fields: loose, required: loose, steps: fc.oneof(fc.array(fc.oneof(step, loose)), loose) },
    { requiredKeys: [] },
  )
  const schema = fc.record(
    {
      version: loose,
      components: fc.oneof(fc.array(fc.oneof(component, loose), { maxLength: 4 }), loose),
      presentation: fc.oneof(fc.array(fc.record({ section: loose, fields: fc.oneof(fc.array(loose), loose) })), loose),
      forms: fc.oneof(fc.dictionary(fc.string(), form), loose),
      migrations: fc.oneof(
        fc.array(fc.dictionary(fc.constantFrom('rename', 'drop', 'default', 'map', 'toString'), loose)),
        loose,
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(schema, loose), (input) => {
      const outcome = defineProfileSchema(input)
      if ('schema' in outcome) compileProfileSchema(outcome.schema)
      else for (const message of Object.values(outcome.validation)) assert.equal(typeof message, 'string')
    }),
    { numRuns: sampleSize(3000) },
  )
  assert.equal(Object.hasOwn(Object.prototype, 'pattern'), false)
})
