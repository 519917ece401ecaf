import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { compileProfileSchema } from './compile-profile-schema.ts'
import { emptyProfileSchema } from './define/define-profile-schema.ts'
import { client, compiled, NOW, operator } from './schema.testkit.ts'

const schema = compiled([
  { name: 'firstName', type: 'text', required: true, rules: { minLength: 2 } },
  { name: 'age', type: 'integer' },
  { name: 'plan', type: 'text', writable: false },
  { name: 'taxId', type: 'text', writeOnce: true },
  { name: 'tags', type: 'list', writeOnce: true },
  { name: 'toString', type: 'text' },
])

test('returns only the fields that were sent', () => {
  assert.deepEqual(schema.validate({ age: 3 }, client()), { values: { age: 3 } })
  assert.deepEqual(schema.validate({}, client()), { values: {} })
  assert.deepEqual(schema.validate({ age: undefined }, client()), { values: {} })
})

test('ignores unknown keys, whatever their value (threat E01) (threat A26)', () => {
  const update = { id: 'x', createdAt: 1, userId: 'x', email: '\0', role: 'admin', passwordHash: {}, age: 3 }
  assert.deepEqual(schema.validate(update, client()), { values: { age: 3 } })
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, index]))
  assert.deepEqual(schema.validate({ ...many, age: 3 }, operator()), { values: { age: 3 } })
})

test('ignores __proto__, constructor and inherited keys (threat A05)', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"age": 5, "polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  )
  assert.deepEqual(schema.validate(hostile, client()), { values: {} })
  assert.deepEqual(schema.validate(Object.create({ age: 5 }), client()), { values: {} })
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('does not read inherited properties for a field named toString', () => {
  assert.deepEqual(schema.validate({ age: 1 }, client()), { values: { age: 1 } })
  assert.deepEqual(schema.validate({ toString: 'x' }, client()), { values: { toString: 'x' } })
  assert.equal(schema.present({ age: 1 })['toString'], null)
})

test('reports all invalid fields with one message each', () => {
  assert.deepEqual(schema.validate({ firstName: 'A', age: 1.5, taxId: 7, plan: 'gold' }, client()), {
    validation: {
      firstName: 'String must contain at least 2 character(s)',
      age: 'Expected integer, received float',
      taxId: 'Expected string, received number',
    },
    details: {
      firstName: { rule: 'minLength', minLength: 2 },
      age: { rule: 'type', expected: 'integer' },
      taxId: { rule: 'type', expected: 'string' },
    },
  })
})

test('clears a field with null unless it is required', () => {
  assert.deepEqual(schema.validate({ age: null }, client()), { values: { age: null } })
  const refused = {
    validation: { firstName: 'Validation rule not met' },
    details: { firstName: { rule: 'required' } },
  }
  assert.deepEqual(schema.validate({ firstName: null }, client()), refused)
  assert.deepEqual(schema.validate({ firstName: null }, operator()), refused)
})

test('ignores a read-only field from a client, even when invalid, and accepts it from the operator', () => {
  assert.deepEqual(schema.validate({ plan: 42 }, client()), { values: {} })
  assert.deepEqual(schema.validate({ plan: null }, client()), { values: {} })
  assert.deepEqual(schema.validate({ plan: 'gold' }, operator()), { values: { plan: 'gold' } })
  assert.deepEqual(schema.validate({ plan: 42 }, operator()), {
    validation: { plan: 'Expected string, received number' },
    details: { plan: { rule: 'type', expected: 'string' } },
  })
})

test('accepts only the same value for a write-once field that is set', () => {
  const refused = { validation: { taxId: 'Validation rule not met' }, details: { taxId: { rule: 'writeOnce' } } }
  assert.deepEqual(schema.validate({ taxId: 'A1' }, client({ taxId: 'A1' })), { values: { taxId: 'A1' } })
  assert.deepEqual(schema.validate({ taxId: 'B2' }, client({ taxId: 'A1' })), refused)
  assert.deepEqual(schema.validate({ taxId: null }, client({ taxId: 'A1' })), refused)
  assert.deepEqual(schema.validate({ taxId: 7 }, client({ taxId: 'A1' })), {
    validation: { taxId: 'Expected string, received number' },
    details: { taxId: { rule: 'type', expected: 'string' } },
  })
  assert.deepEqual(schema.validate({ taxId: 'B2' }, operator({ taxId: 'A1' })), { values: { taxId: 'B2' } })
  assert.deepEqual(schema.validate({ tags: ['a', 'b'] }, client({ tags: ['a', 'b'] })), {
    values: { tags: ['a', 'b'] },
  })
  assert.ok('validation' in schema.validate({ tags: ['b', 'a'] }, client({ tags: ['a', 'b'] })))
  // The rules have become stricter since the value was stored.
  const stricter = compiled([{ name: 'taxId', type: 'text', writeOnce: true, rules: { minLength: 3 } }])
  assert.deepEqual(stricter.validate({ taxId: 'A1' }, client({ taxId: 'A1' })), { values: { taxId: 'A1' } })
})

test('accepts a value for a write-once field that is unset or has another type', () => {
  for (const current of [null, {}, { taxId: null }, { taxId: 42 }] as (ProfileValues | null)[]) {
    assert.deepEqual(schema.validate({ taxId: 'A1' }, client(current)), { values: { taxId: 'A1' } })
  }
})

test('returns the identical value', () => {
  const tags = ['a', 'b']
  const judged = schema.validate({ tags }, client())
  assert.ok('values' in judged && judged.values['tags'] === tags)
})

test('presents every field in the schema’s order, null when unset or of another type', () => {
  const shown = schema.present({ age: 'three', unknown: 1, tags: ['a', 1], taxId: 'A1' })
  assert.deepEqual(shown, { firstName: null, age: null, plan: null, taxId: 'A1', tags: null, toString: null })
  assert.deepEqual(Object.keys(shown), ['firstName', 'age', 'plan', 'taxId', 'tags', 'toString'])
})

test('stores values of every other type so that they are shown, and the same when they are sent back', () => {
  const types = ['month', 'week', 'country', 'language', 'currency', 'timezone', 'name', 'address', 'consent']
  const every = compiled([
    ...types.map((type) => ({ name: type, type })),
    { name: 'mails', type: 'list', rules: { items: 'email' } },
  ])
  const texts = fc.constantFrom('', 'FR')
  const part = fc.constantFrom('given', 'family', 'city', 'country', 'at', '__proto__')
  const parts = fc.dictionary(part, texts)
  const likely = {
    ...{ month: fc.constant('2024-02'), week: fc.constant('2020-W53'), country: fc.constant('FR') },
    ...{ language: fc.constant('pt-BR'), currency: fc.constant('EUR'), timezone: fc.constant('Asia/Kolkata') },
    ...{ name: parts, address: parts, mails: fc.constantFrom([], ['a@b.co']) },
    consent: fc.record({ accepted: fc.boolean(), version: fc.constantFrom('1', '2'), at: fc.string() }),
  }
  const update = fc.oneof(
    fc.record(likely, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...types, 'mails'), fc.oneof(parts, fc.jsonValue())),
  )
  let stored = 0
  fc.assert(
    fc.property(update, (update) => {
      const judged = every.validate(update, client())
      if ('validation' in judged) return assert.deepEqual(Object.keys(judged.details), Object.keys(judged.validation))
      stored += Object.keys(judged.values).length
      const shown = every.present(judged.values)
      for (const [name, value] of Object.entries(judged.values)) assert.deepEqual(shown[name], value)
      const again = every.validate(shown, { ...client(judged.values), now: NOW + 1 })
      assert.deepEqual('values' in again && every.present(again.values), shown)
    }),
    { numRuns: sampleSize(4000) },
  )
  assert.ok(stored > sampleSize(4000), `${stored} values`)
})

test('accepts anything and stores nothing with the empty schema', () => {
  const empty = compileProfileSchema(emptyProfileSchema)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (update) => {
      assert.deepEqual(empty.validate(update, client()), { values: {} })
      assert.deepEqual(empty.present({}), {})
    }),
  )
})

test('returns values as sent or messages for any input, and presents what it accepted', () => {
  const key = fc.constantFrom('firstName', 'age', 'plan', 'taxId', 'tags', 'toString', '__proto__', 'other')
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), (update) => {
      const judged = schema.validate(update, client())
      if ('validation' in judged) return assert.ok(Object.keys(judged.validation).length > 0)
      const shown = schema.present(judged.values)
      for (const [name, value] of Object.entries(judged.values)) {
        assert.equal(value, update[name])
        assert.deepEqual(shown[name], value)
      }
    }),
    { numRuns: sampleSize(2000) },
  )
})
