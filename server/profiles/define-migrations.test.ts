import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from './schema.testkit.ts'

const components = [
  { name: 'first', type: 'text', rules: { maxLength: 5 } },
  { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'paid' }] },
  { name: 'tags', type: 'multiselect', options: [{ value: 'x' }, { value: 'y' }], rules: { minItems: 2 } },
  { name: 'born', type: 'date', rules: { minAge: 13 } },
]
const problems = (...migrations: unknown[]) => Object.keys(problemsOf({ components, migrations }))
const takes = (...migrations: unknown[]) => assert.deepEqual(defined({ components, migrations }).migrations, migrations)

test('accepts each kind of step that targets a field of the schema', () => {
  takes({ rename: { from: 'name', to: 'first' } }, { drop: 'old' }, { default: { field: 'plan', value: 'free' } })
  takes(
    { map: { field: 'plan', values: { gold: 'paid', none: null } } },
    { map: { field: 'tags', values: { z: 'x' } } },
  )
  takes({ default: { field: 'born', value: '1970-01-01' } }, { default: { field: 'tags', value: ['x', 'y'] } })
})

test('accepts the name that a field has at that step', () => {
  takes(
    { default: { field: 'name', value: 'Ada' } },
    { rename: { from: 'name', to: 'given' } },
    { rename: { from: 'given', to: 'first' } },
  )
  takes({ drop: 'first' }, { rename: { from: 'name', to: 'first' } })
  takes({ map: { field: 'old', values: { x: 'anything' } } }, { drop: 'old' })
  takes({ rename: { from: 'first', to: 'old' } }, { drop: 'old' })
})

test('rejects a step that targets no field', () => {
  assert.deepEqual(problems({ rename: { from: 'name', to: 'gone' } }), ['migrations.0.rename.to'])
  assert.deepEqual(problems({ default: { field: 'gone', value: 1 } }), ['migrations.0.default.field'])
  assert.deepEqual(problems({ map: { field: 'gone', values: {} } }), ['migrations.0.map.field'])
  assert.deepEqual(problems({ default: { field: 'first', value: 'x' } }, { rename: { from: 'name', to: 'first' } }), [
    'migrations.0.default.field',
  ])
})

test('rejects a value that the field does not accept', () => {
  assert.deepEqual(problems({ default: { field: 'first', value: 'too long' } }), ['migrations.0.default.value'])
  assert.deepEqual(problems({ default: { field: 'first', value: null } }), ['migrations.0.default.value'])
  assert.deepEqual(problems({ map: { field: 'plan', values: { a: 'gone', b: 1 } } }), [
    'migrations.0.map.values.a',
    'migrations.0.map.values.b',
  ])
  assert.deepEqual(problems({ map: { field: 'tags', values: { a: ['x'] } } }), ['migrations.0.map.values.a'])
})

test('rejects unknown and malformed steps', () => {
  for (const step of [null, 'drop', [], {}, { drop: 'a', rename: {} }, { toString: 1 }, { remove: 'a' }]) {
    assert.deepEqual(problems(step), ['migrations.0'])
  }
  assert.deepEqual(problems({ drop: 7 }), ['migrations.0.drop'])
  assert.deepEqual(problems({ rename: 'x' }), ['migrations.0.rename'])
  assert.deepEqual(problems({ rename: { from: 'first', to: 'first' } }), ['migrations.0.rename.to'])
  assert.deepEqual(problems({ rename: { from: '__proto__', to: 'first' } }), ['migrations.0.rename.from'])
  assert.deepEqual(problems({ map: { field: 'plan', values: [] } }), ['migrations.0.map.values'])
  assert.deepEqual(problems({ default: { field: 'first', value: 'x', always: true } }), ['migrations.0.default.always'])
  assert.deepEqual(Object.keys(problemsOf({ components, migrations: {} })), ['migrations'])
})
