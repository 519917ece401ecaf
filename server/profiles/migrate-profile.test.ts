import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { ProfileMigration } from '../../contract/profile-schema.ts'
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
)

test('keeps values of unexpected types and does not change its input', () => {
  const values = fc.dictionary(fc.oneof(name, fc.constant('__proto__')), fc.jsonValue()) as fc.Arbitrary<ProfileValues>
  fc.assert(
    fc.property(values, fc.array(fc.array(step)), (stored, versions) => {
      const before = JSON.stringify(stored)
      migrateProfile(stored, versions)
      assert.equal(JSON.stringify(stored), before)
    }),
  )
})

test('is idempotent for drop and default', () => {
  const calm = fc.oneof(
    fc.record({ drop: fc.constant('a') }),
    fc.record({ default: fc.record({ field: fc.constant('b'), value: fc.string() }) }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), fc.array(calm), (stored, steps) => {
      const once = migrateProfile(stored, [steps])
      assert.deepEqual(migrateProfile(once, [steps]), once)
    }),
  )
})
