import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import type { CastTarget } from './cast-value.ts'
import { migrateProfile } from './migrate-profile.ts'

const migrate = (values: ProfileValues, ...steps: ProfileMigration[]) => migrateProfile(values, [steps])

test('moves the value with rename and replaces the target', () => {
  const rename = { rename: { from: 'a', to: 'b' } }
  assert.deepEqual(migrate({ a: 1, b: 2 }, rename), { b: 1 })
  assert.deepEqual(migrate({ b: 2 }, rename), { b: 2 })
  assert.deepEqual(migrate({ a: null, b: 2 }, rename), { b: 2 })
})

test('removes the value with drop and sets unset fields with default', () => {
  assert.deepEqual(migrate({ a: 1, b: 2 }, { drop: 'a' }), { b: 2 })
  assert.deepEqual(migrate({}, { default: { field: 'a', value: 'x' } }), { a: 'x' })
  assert.deepEqual(migrate({ a: null }, { default: { field: 'a', value: 'x' } }), { a: 'x' })
  assert.deepEqual(migrate({ a: false }, { default: { field: 'a', value: true } }), { a: false })
})

test('replaces values by their text with map, array items one by one', () => {
  const map = { map: { field: 'a', values: { old: 'new', true: 'yes', '3': 'three', gone: null } } }
  assert.deepEqual(migrate({ a: 'old' }, map), { a: 'new' })
  assert.deepEqual(migrate({ a: true }, map), { a: 'yes' })
  assert.deepEqual(migrate({ a: 3 }, map), { a: 'three' })
  assert.deepEqual(migrate({ a: 'gone' }, map), { a: null })
  assert.deepEqual(migrate({ a: 'toString' }, map), { a: 'toString' })
  assert.deepEqual(migrate({ a: ['x', 'old', 'gone', 'new', 'x', 3, 3] }, map), { a: ['x', 'new', 'x', 'three'] })
  assert.deepEqual(migrate({}, map), {})
})

test('copies a set value, and keeps the source', () => {
  const copy = { copy: { from: 'a', to: 'b' } }
  assert.deepEqual(migrate({ a: ['x'], b: 2 }, copy), { a: ['x'], b: ['x'] })
  assert.deepEqual(migrate({ a: null, b: 2 }, copy), { a: null, b: 2 })
  assert.deepEqual(migrate({ b: 2 }, copy), { b: 2 })
})

test('casts what can be cast without loss, and names the fields of other values', () => {
  const table: [to: CastTarget, cast: [from: JsonValue, result: JsonValue][], uncastable: JsonValue[]][] = [
    [
      'text',
      [
        ['x', 'x'],
        [1.5, '1.5'],
        [true, 'true'],
        [['x'], 'x'],
      ],
      [['x', 'y'], [], {}, [['x']]],
    ],
    [
      'number',
      [
        [' 1.50 ', 1.5],
        ['-1e3', -1000],
        [7, 7],
        ['-9007199254740991', -9_007_199_254_740_991],
        ['0.0', 0],
        ['1.20E-10', 1.2e-10],
        ['0.30000000000000004', 0.1 + 0.2],
        ['1000000.000', 1_000_000],
      ],
      [
        ...['', '007', '+5', '1,5', '1e999', true, ['1'], {}],
        ...['9007199254740992', '1e-400', '0.12345678901234567', '1.00000000000000001'],
      ],
    ],
    [
      'integer',
      [
        ['12', 12],
        ['3.0', 3],
        ['9007199254740991', 9_007_199_254_740_991],
        [3, 3],
      ],
      ['3.5', 3.5, '9007199254740992', '3.00000000000000001', 'x', false],
    ],
    [
      'boolean',
      [
        ['true', true],
        [' False', false],
        [1, true],
        ['0', false],
        [true, true],
      ],
      ['yes', 2, '', ['true']],
    ],
    [
      'date',
      [
        ['2024-02-29', '2024-02-29'],
        ['\t2024-02-29T23:00:00+02:00 ', '2024-02-29'],
      ],
      ['2023-02-29', '2024-02-29T', '29.02.2024', 20240229, ['2024-02-29']],
    ],
    [
      'list',
      [
        ['x', ['x']],
        [1, ['1']],
        [
          ['x', 2],
          ['x', '2'],
        ],
        [[], []],
      ],
      [{}, [['x']], [null]],
    ],
  ]
  for (const [to, castable, uncastable] of table) {
    const steps: ProfileMigration[] = [{ cast: { field: 'a', to } }]
    for (const [from, result] of castable) {
      const migrated = migrateProfile({ a: from }, [steps], () => assert.fail(`${JSON.stringify(from)} to ${to}`))
      assert.deepEqual(migrated, { a: result })
    }
    for (const value of uncastable) {
      const named: string[] = []
      assert.deepEqual(
        migrateProfile({ a: value }, [steps], (field) => named.push(field)),
        { a: value },
      )
      assert.deepEqual(named, ['a'], `${JSON.stringify(value)} to ${to}`)
    }
    const unset = migrateProfile({ a: null }, [steps], () => assert.fail('an unset field is not cast'))
    assert.deepEqual(unset, { a: null })
  }
})

test('splits a text among the targets: the last one gets the rest', () => {
  const split = { split: { from: 'a', separator: ',', to: ['b', 'c'] } }
  assert.deepEqual(migrate({ a: 'x, y , z' }, split), { a: 'x, y , z', b: 'x', c: 'y , z' })
  assert.deepEqual(migrate({ a: 'x', b: 1, c: 2 }, split), { a: 'x', b: 'x', c: 2 })
  assert.deepEqual(migrate({ a: ' , y', b: 1 }, split), { a: ' , y', b: 1, c: 'y' })
  assert.deepEqual(migrate({ a: ['x,y'], b: 1 }, split), { a: ['x,y'], b: 1 })
  assert.deepEqual(migrate({ b: 1 }, split), { b: 1 })
  const own = { split: { from: 'a', separator: ' ', to: ['a', 'b'] } }
  assert.deepEqual(migrate({ a: 'Ada King Lovelace' }, own), { a: 'Ada', b: 'King Lovelace' })
})

test('joins the set values of the sources, and keeps them', () => {
  const join = { join: { from: ['a', 'b', 'c'], separator: ', ', to: 'd' } }
  assert.deepEqual(migrate({ a: 'x', b: null, c: 3, d: 'old' }, join), { a: 'x', b: null, c: 3, d: 'x, 3' })
  assert.deepEqual(migrate({ a: ['x'], c: {}, d: 'old' }, join), { a: ['x'], c: {}, d: 'old' })
  assert.deepEqual(migrate({}, join), {})
})

test('limits the text that repeated joins can build', () => {
  const double: ProfileMigration[] = [
    { join: { from: ['a', 'b'], separator: '', to: 'a' } },
    { copy: { from: 'a', to: 'b' } },
  ]
  const migrated = migrate({ a: 'x', b: 'x' }, ...Array.from({ length: 100 }, () => double).flat())
  assert.deepEqual(migrated, { a: 'x'.repeat(65_536), b: 'x'.repeat(65_536) })
})

test('counts the separators between joined texts, and none after the last', () => {
  const join = { join: { from: ['a', 'b'], separator: ', ', to: 'c' } }
  const longest = 'x'.repeat(65_536)
  assert.equal(migrate({ a: longest }, join)['c'], longest)
  const [a, b] = [longest.slice(10), 'y'.repeat(8)]
  assert.equal(migrate({ a, b }, join)['c'], `${a}, ${b}`)
  assert.equal(migrate({ a, b: `${b}y`, c: 'old' }, join)['c'], 'old')
})

test('applies versions and steps in order', () => {
  const versions: ProfileMigration[][] = [
    [{ rename: { from: 'a', to: 'b' } }, { map: { field: 'b', values: { x: 'y' } } }],
    [{ rename: { from: 'b', to: 'c' } }, { default: { field: 'a', value: 'fresh' } }],
  ]
  assert.deepEqual(migrateProfile({ a: 'x' }, versions), { c: 'y', a: 'fresh' })
})

const name = fc.constantFrom('a', 'b', 'toString')
const step: fc.Arbitrary<ProfileMigration> = fc.oneof(
  fc.record({ rename: fc.record({ from: name, to: name }) }),
  fc.record({ drop: name }),
  fc.record({ default: fc.record({ field: name, value: fc.string() }) }),
  fc.record({
    map: fc.record({ field: name, values: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null))) }),
  }),
  fc.record({ copy: fc.record({ from: name, to: name }) }),
  fc.record({
    cast: fc.record({ field: name, to: fc.constantFrom('text', 'number', 'integer', 'boolean', 'date', 'list') }),
  }),
  fc.record({ split: fc.record({ from: name, separator: fc.string({ minLength: 1 }), to: fc.uniqueArray(name) }) }),
  fc.record({ join: fc.record({ from: fc.uniqueArray(name), separator: fc.string(), to: name }) }),
)

test('keeps values of unexpected types and does not change its input', () => {
  const values = fc.dictionary(fc.oneof(name, fc.constant('__proto__')), fc.jsonValue()) as fc.Arbitrary<ProfileValues>
  fc.assert(
    fc.property(values, fc.array(fc.array(step)), (stored, versions) => {
      const before = JSON.stringify(stored)
      const migrated = migrateProfile(stored, versions)
      assert.equal(JSON.stringify(stored), before)
      assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(migrated))), Object.keys(migrated), 'every value is JSON')
    }),
    { numRuns: sampleSize(500) },
  )
})

test('drop, default, copy and cast are idempotent, and split and join of other fields', () => {
  const calm: fc.Arbitrary<ProfileMigration> = fc.oneof(
    fc.record({ drop: fc.constant('a') }),
    fc.record({ default: fc.record({ field: fc.constant('b'), value: fc.string() }) }),
    fc.record({ copy: fc.constant({ from: 'c', to: 'd' }) }),
    fc.record({ cast: fc.record({ field: fc.constant('c'), to: fc.constantFrom('text', 'integer', 'list') }) }),
    fc.record({ split: fc.constant({ from: 'e', separator: ' ', to: ['f', 'g'] as string[] }) }),
    fc.record({ join: fc.constant({ from: ['f', 'g'] as string[], separator: ' ', to: 'h' }) }),
  )
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom('1 2', '2024-01-01'))
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...'abcdefgh'), scalar), calm, (stored, step) => {
      const once = migrate(stored, step)
      assert.deepEqual(migrate(once, step), once)
    }),
  )
})
