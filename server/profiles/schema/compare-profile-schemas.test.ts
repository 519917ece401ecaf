import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareProfileSchemas, failingFields } from './compare-profile-schemas.ts'
import { changes, compiled, defined, NOW } from './schema.testkit.ts'

const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more })
const select = (...values: string[]) => ({ name: 'a', type: 'select', options: values.map((value) => ({ value })) })

test('reports nothing for the same schema, new fields and looser rules', () => {
  assert.deepEqual(changes([text('a')], [text('a')]), [])
  assert.deepEqual(changes([text('a')], [text('b'), text('a', { label: 'A', rules: { minLength: 0 } })]), [])
  assert.deepEqual(changes([text('a', { required: true, rules: { maxLength: 5, pattern: 'x' } })], [text('a')]), [])
})

test('reports nothing that a field already is', () => {
  const all = [
    text('a', { required: true, unique: true, uniqueBy: 'exact' }),
    text('b', { readable: false, writeOnce: true }),
    text('c', { unique: true }),
    { name: 'd', type: 'url', claim: true, claimFromUser: true },
  ]
  assert.deepEqual(changes(all, all), [])
})

test('reports a removed field unless a migration renames it', () => {
  assert.deepEqual(changes([text('a')], []), ['a removed'])
  assert.deepEqual(changes([text('a')], [text('b')], { migrations: [{ rename: { from: 'a', to: 'b' } }] }), [])
  assert.deepEqual(changes([text('a')], [text('a')], { migrations: [{ drop: 'a' }] }), ['a removed'])
  const overwritten = { migrations: [{ rename: { from: 'a', to: 'b' } }] }
  assert.deepEqual(changes([text('a'), text('b')], [text('b')], overwritten), ['b removed'])
})

test('says what a cast does to the values of a field whose type changes', () => {
  const cast = { migrations: [{ cast: { field: 'a', to: 'integer' } }] }
  const [change] = compareProfileSchemas(
    defined({ components: [text('a')] }),
    defined({ components: [{ name: 'a', type: 'integer' }], ...cast }),
  )
  const stored = 'stored values are cast, and those that cannot be cast are kept as they are'
  assert.deepEqual(change, { field: 'a', kind: 'retyped', message: `Type changes from text to integer; ${stored}.` })
})

test('compares a renamed field with its new definition', () => {
  const rename = { migrations: [{ rename: { from: 'a', to: 'b' } }] }
  assert.deepEqual(changes([text('a')], [{ name: 'b', type: 'integer' }], rename), ['a retyped'])
  assert.deepEqual(changes([text('a')], [text('b', { rules: { minLength: 3 } })], rename), ['a narrowed'])
})

test('reports no limit that the number of options has set already', () => {
  const chosen = (rules: object, values: string) => [
    { name: 'a', type: 'multiselect', rules, options: [...values].map((value) => ({ value })) },
  ]
  assert.deepEqual(changes(chosen({}, 'xyz'), chosen({ maxItems: 3 }, 'xyz')), [])
  assert.deepEqual(changes(chosen({ maxItems: 9 }, 'xyz'), chosen({ maxItems: 3 }, 'vwxyz')), [])
  assert.deepEqual(changes(chosen({}, 'xyz'), chosen({ maxItems: 2 }, 'xyz')), ['a narrowed'])
  assert.deepEqual(changes(chosen({}, 'xyz'), chosen({}, 'xy')), ['a narrowed'])
})

test('reports tighter bounds, relative to the defaults', () => {
  const narrowed = (type: string, before: object, after: object) =>
    changes([{ name: 'a', type, rules: before }], [{ name: 'a', type, rules: after }])
  assert.deepEqual(narrowed('text', {}, { maxLength: 2048, minLength: 1 }), [])
  assert.deepEqual(narrowed('text', {}, { maxLength: 2047 }), ['a narrowed'])
  assert.deepEqual(narrowed('text', { maxLength: 3000 }, {}), ['a narrowed'])
  assert.deepEqual(narrowed('text', {}, { pattern: 'x' }), ['a narrowed'])
  assert.deepEqual(narrowed('text', { pattern: 'x' }, { pattern: 'y' }), ['a narrowed'])
  assert.deepEqual(narrowed('text', { pattern: 'x' }, { maxLength: 1024 }), [])
  assert.deepEqual(narrowed('text', { pattern: 'x' }, { maxLength: 1023 }), ['a narrowed'])
  assert.deepEqual(narrowed('number', {}, { min: 0 }), ['a narrowed'])
  assert.deepEqual(narrowed('number', { min: 0, max: 5 }, { min: -1, max: 6 }), [])
  assert.deepEqual(narrowed('integer', { step: 2 }, { step: 3 }), ['a narrowed'])
  assert.deepEqual(narrowed('datetime', { min: '2024-01-01T00:00:00Z' }, { min: '2024-01-01T01:00:00+01:00' }), [])
  assert.deepEqual(narrowed('date', { minAge: 13 }, { minAge: 16 }), ['a narrowed'])
  assert.deepEqual(narrowed('boolean', {}, { mustBeTrue: true }), ['a narrowed'])
  assert.deepEqual(narrowed('list', {}, { maxItems: 99, unique: true }), ['a narrowed', 'a narrowed'])
  assert.deepEqual(narrowed('email', {}, { domains: ['a.example'] }), ['a narrowed'])
  assert.deepEqual(narrowed('email', { domains: ['a.example'] }, { domains: ['b.example', 'A.EXAMPLE'] }), [])
  assert.deepEqual(narrowed('email', { domains: ['a.example', 'b.example'] }, { domains: ['b.example'] }), [
    'a narrowed',
  ])
})

test('reports a step that counts from another number', () => {
  const narrowed = (before: object, after: object) =>
    changes([{ name: 'a', type: 'number', rules: before }], [{ name: 'a', type: 'number', rules: after }])
  assert.deepEqual(narrowed({ min: 1, step: 2 }, { min: 0, step: 2 }), ['a narrowed'])
  assert.deepEqual(narrowed({ min: 1, step: 2 }, { step: 2 }), ['a narrowed'])
  assert.deepEqual(narrowed({ min: 1, step: 2 }, { min: -1, step: 2 }), [])
  assert.deepEqual(narrowed({ min: 0.3, step: 0.1 }, { step: 0.1 }), [])
  assert.deepEqual(narrowed({ min: 1, step: 2 }, { min: 0 }), [])
  assert.deepEqual(narrowed({ min: 1, step: 2 }, { min: 0, step: 3 }), ['a narrowed'])
})

test('reports which codes, parts, items and versions are no longer accepted', () => {
  const narrowed = (type: string, before: object, after: object) =>
    changes([{ name: 'a', type, rules: before }], [{ name: 'a', type, rules: after }]).length
  assert.equal(narrowed('country', {}, { in: ['FR'] }), 1)
  assert.equal(narrowed('country', { in: ['FR'] }, { in: ['DE', 'FR'] }), 0)
  assert.equal(narrowed('timezone', { in: ['UTC'] }, {}), 0)
  assert.equal(narrowed('month', { min: '2024-02' }, { min: '2024-03' }), 1)
  assert.equal(narrowed('week', { max: '2024-W02' }, { max: '2024-W03' }), 0)
  const allParts = ['given', 'middle', 'family', 'prefix', 'suffix', 'nativeScript']
  assert.equal(narrowed('name', {}, { parts: allParts, maxLength: 100 }), 0)
  assert.equal(narrowed('name', {}, { parts: ['given'] }), 1)
  assert.equal(narrowed('name', { parts: ['given'] }, {}), 0)
  assert.equal(narrowed('name', {}, { maxLength: 99 }), 1)
  assert.equal(narrowed('name', { requiredParts: ['given'] }, { requiredParts: ['given', 'family'] }), 1)
  assert.equal(narrowed('name', { requiredParts: ['given'] }, {}), 0)
  assert.equal(narrowed('address', { requiredParts: ['city', 'line1'] }, { requiredParts: ['line1'] }), 0)
  assert.equal(narrowed('address', {}, { countries: ['FR'] }), 1)
  assert.equal(narrowed('consent', { version: '1' }, { version: '2' }), 1)
  assert.equal(narrowed('consent', { version: '1', mustBeTrue: true }, {}), 0)
  assert.equal(narrowed('list', {}, { items: 'email' }), 1)
  assert.equal(narrowed('list', { items: 'email' }, {}), 0)
  assert.equal(narrowed('list', { items: 'url' }, { items: 'text' }), 1)
})

test('reports fields that users can no longer read, and claims that access tokens lose', () => {
  const claim = { name: 'a', type: 'text', claim: true, writable: false }
  const readOnly = { name: 'a', type: 'text', writable: false }
  assert.deepEqual(changes([text('a')], [text('a', { readable: false })]), ['a narrowed'])
  assert.deepEqual(changes([text('a', { readable: false })], [text('a')]), [])
  assert.deepEqual(changes([claim], [readOnly]), ['a narrowed'])
  assert.deepEqual(changes([readOnly], [claim]), [])
})

test('says which values are lost when a type changes without a cast', () => {
  const retyped = (before: string, after: string) => {
    const schemas = [before, after].map((type) => defined({ components: [{ name: 'a', type }] }))
    return compareProfileSchemas(schemas[0]!, schemas[1]!)[0]!.message
  }
  assert.match(retyped('name', 'address'), /shown as unset/)
  assert.match(retyped('text', 'country'), /kept but may fail/)
  assert.match(retyped('integer', 'text'), /shown as unset/)
  assert.match(retyped('integer', 'number'), /kept but may fail/)
  assert.match(retyped('number', 'integer'), /values with a fraction are shown as unset/)
})

test('reports a removed option unless a migration maps it to a kept one', () => {
  assert.deepEqual(changes([select('x', 'y')], [select('x', 'z')]), ['a narrowed'])
  const map = (to: string | null) => ({ migrations: [{ map: { field: 'a', values: { y: to } } }] })
  assert.deepEqual(changes([select('x', 'y')], [select('x')], map('x')), [])
  assert.deepEqual(changes([select('x', 'y')], [select('x')], map(null)), [])
})

test('reports a field that becomes required, read-only, write-once or required by a form', () => {
  assert.deepEqual(changes([text('a')], [text('a', { required: true })]), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a', { writable: false })]), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a', { writeOnce: true })]), ['a narrowed'])
  const form = (...required: string[]) => ({ forms: { signUp: { fields: ['a'], required } } })
  assert.deepEqual(changes([text('a')], [text('a')], form('a'), form()), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a')], form('a'), form('a')), [])
  assert.deepEqual(changes([text('b')], [text('b'), text('a')], form('a')), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a')], form(), form('a')), [])
})

test('reports a field that becomes unique, or unique regardless of letter case', () => {
  const folded = text('a', { unique: true })
  const exact = text('a', { unique: true, uniqueBy: 'exact' })
  assert.deepEqual(changes([text('a')], [folded]), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [exact]), ['a narrowed'])
  assert.deepEqual(changes([exact], [folded]), ['a narrowed'])
  assert.deepEqual(changes([folded], [text('a', { unique: true, uniqueBy: 'folded' })]), [])
  assert.deepEqual(changes([folded], [exact]), [])
  assert.deepEqual(changes([exact], [text('a')]), [])
  const rename = { migrations: [{ rename: { from: 'a', to: 'b' } }] }
  assert.deepEqual(changes([text('a')], [text('b', { unique: true })], rename), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a'), text('b', { unique: true })]), [])
})

test('reports nothing for forms and conditions that no client of the current schema can meet', () => {
  const required = { fields: ['a'], required: ['a'] }
  const signUp = { forms: { signUp: required } }
  assert.deepEqual(changes([], [text('a', { required: true })], signUp), [])
  assert.deepEqual(changes([text('a')], [text('a')], signUp), ['a narrowed'])
  assert.deepEqual(changes([text('a')], [text('a')], { forms: { onboarding: required } }), [])
  const vat = (field: string) => text('vat', { requiredWhen: { field, set: true } })
  assert.deepEqual(changes([text('a')], [text('a'), text('kind'), vat('kind')]), [])
  assert.deepEqual(changes([text('a')], [text('a'), text('kind'), vat('a')]), ['vat conditional'])
})

test('lists the stored fields that a schema would reject, without unset ones', () => {
  const schema = compiled([
    text('a', { required: true, rules: { maxLength: 2 } }),
    { name: 'b', type: 'integer', writable: false },
    text('c', { writeOnce: true }),
  ])
  assert.deepEqual(failingFields(schema, { a: 'abc', b: 'x', c: 'fine', gone: '\0' }, NOW), ['a', 'b'])
  assert.deepEqual(failingFields(schema, { a: null }, NOW), [])
  assert.deepEqual(failingFields(schema, {}, NOW), [])
})

test('reports a field that a step of a form newly requires, but not one that moves to another step', () => {
  const form = (first: string[], second: string[]) => ({
    forms: {
      onboarding: {
        steps: [
          { step: 'one', fields: first, required: first },
          { step: 'two', fields: second, required: second },
        ],
      },
    },
  })
  const both = [text('a'), text('b')]
  assert.deepEqual(changes(both, both, form(['a'], ['b']), form([], ['a'])), ['b narrowed'])
  assert.deepEqual(changes(both, both, form([], ['b', 'a']), form(['a'], ['b'])), [])
  const fields = { forms: { onboarding: { fields: ['a', 'b'], required: ['a', 'b'] } } }
  assert.deepEqual(changes(both, both, form(['a'], ['b']), fields), [])
})

test('counts failures with conditions on', () => {
  const schema = compiled([
    select('FR', 'DE'),
    text('vat', { requiredWhen: { field: 'a', is: 'FR' } }),
    text('hidden', { visibleWhen: { field: 'a', is: 'DE' }, rules: { maxLength: 1 } }),
  ])
  assert.deepEqual(failingFields(schema, { a: 'FR', hidden: 'long' }, NOW), ['vat'])
  assert.deepEqual(failingFields(schema, { a: 'DE', hidden: 'long' }, NOW), ['hidden'])
  assert.deepEqual(failingFields(schema, {}, NOW), [])
})
