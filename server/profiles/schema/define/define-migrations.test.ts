import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined, problemsOf } from '../schema.testkit.ts'

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

test('rejects a value that is too long for a claim: access tokens would lack it', () => {
  const claim = [{ name: 'tier', type: 'text', writable: false, claim: true }]
  const of = (value: string) => ({
    components: claim,
    migrations: [{ default: { field: 'tier', value } }, { map: { field: 'tier', values: { old: value } } }],
  })
  defined(of('x'.repeat(256)))
  assert.deepEqual(Object.keys(problemsOf(of('x'.repeat(257)))), [
    'migrations.1.map.values.old',
    'migrations.0.default.value',
  ])
})

test('accepts steps that copy, cast, split and join', () => {
  takes({ copy: { from: 'old', to: 'first' } }, { drop: 'old' })
  takes({ copy: { from: 'plan', to: 'first' } }, { cast: { field: 'plan', to: 'text' } })
  takes({ cast: { field: 'born', to: 'date' } }, { cast: { field: 'tags', to: 'list' } })
  takes({ split: { from: 'name', separator: ' ', to: ['first', 'last'] } }, { drop: 'last' })
  takes({ join: { from: ['first', 'gone'], separator: '', to: 'first' } })
})

test('does not compare values with a field whose type a later step changes', () => {
  takes({ default: { field: 'tags', value: 'x' } }, { cast: { field: 'tags', to: 'list' } })
  takes({ split: { from: 'name', separator: ' ', to: ['first', 'tags'] } }, { cast: { field: 'tags', to: 'list' } })
  takes({ cast: { field: 'tags', to: 'text' } }, { cast: { field: 'tags', to: 'list' } })
  assert.deepEqual(problems({ cast: { field: 'tags', to: 'list' } }, { default: { field: 'tags', value: 'x' } }), [
    'migrations.1.default.value',
  ])
})

test('rejects steps that copy, cast, split and join what the schema does not take', () => {
  assert.deepEqual(problems({ copy: { from: 'first', to: 'first' } }), ['migrations.0.copy.to'])
  assert.deepEqual(problems({ copy: { from: 'Old', to: 'gone' } }), ['migrations.0.copy.from', 'migrations.0.copy.to'])
  assert.deepEqual(problems({ cast: { field: 'gone', to: 'text' } }), ['migrations.0.cast.field'])
  for (const to of ['list', 'number', 'datetime', 'toString', 7]) {
    assert.deepEqual(problems({ cast: { field: 'first', to } }), ['migrations.0.cast.to'])
  }
  const split = (changes: object) => problems({ split: { from: 'a', separator: ' ', to: ['first'], ...changes } })
  assert.deepEqual(split({ to: ['gone', 'tags', 'first', 'first'] }), [
    'migrations.0.split.to.3',
    'migrations.0.split.to.0',
    'migrations.0.split.to.1',
  ])
  for (const to of [[], 'first', {}, null, Array.from({ length: 21 }, (_, index) => `f${index}`)]) {
    assert.deepEqual(split({ to }), ['migrations.0.split.to'])
  }
  assert.deepEqual(split({ to: [['first']] }), ['migrations.0.split.to.0'])
  for (const separator of ['', 'x'.repeat(101), 7, null, '\0', '\ud800']) {
    assert.deepEqual(split({ separator }), ['migrations.0.split.separator'])
  }
  assert.deepEqual(split({ from: '__proto__' }), ['migrations.0.split.from'])
  const join = (changes: object) => problems({ join: { from: ['a'], separator: '', to: 'first', ...changes } })
  assert.deepEqual(join({ to: 'tags' }), ['migrations.0.join.to'])
  assert.deepEqual(join({ to: ['first'] }), ['migrations.0.join.to'])
  assert.deepEqual(join({ from: ['__proto__', 7] }), ['migrations.0.join.from.0', 'migrations.0.join.from.1'])
  assert.deepEqual(join({ from: [] }), ['migrations.0.join.from'])
  assert.deepEqual(problems({ join: { from: ['a'], to: 'first' } }), ['migrations.0.join'])
  assert.deepEqual(join({ more: 1 }), ['migrations.0.join.more'])
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
