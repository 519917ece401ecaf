import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '../schema/schema.testkit.ts'
import { archivedValues, archiveState, withoutFields } from './archived-fields.ts'

const day = 86_400_000
const schema = (...names: string[]) => defined({ components: names.map((name) => ({ name, type: 'text' })) })
const versions = (...all: string[][]) =>
  all.map((names, index) => ({
    ordinal: index + 1,
    schema: schema(...names),
    publishedAt: index * day,
    publishedBy: null,
  }))

test('archives the set values of fields that the schema does not have', () => {
  const values = { a: 'x', b: 'y', c: null, toString: 'z' }
  assert.deepEqual(archivedValues(values, schema('a'), { a: 'x' }), { b: 'y', toString: 'z' })
  assert.deepEqual(archivedValues({ a: 'x' }, schema('a'), { a: 'x' }), {})
})

test('archives the set values of readable fields that are shown as unset', () => {
  const note = { name: 'note', type: 'text', readable: false }
  const components = [{ name: 'a', type: 'integer' }, { name: 'toString', type: 'text' }, note]
  const values = { a: 'x', toString: 'y', note: 'z' }
  const shown = { a: null, toString: 'y', note: null }
  assert.deepEqual(archivedValues(values, defined({ components }), shown), { a: 'x' })
})

test('a field is due after its last removal, unless the last version has it', async () => {
  const all = versions(['a', 'b'], ['b'], ['a', 'b'], ['b'], [])
  const state = async (now: number, more = all) => {
    const { due, nextDue } = await archiveState(more, all.length, 2 * day, now)
    return [[...due].sort(), nextDue]
  }
  assert.deepEqual(await state(3 * day), [[], 5 * day], 'the first removal of a does not count')
  assert.deepEqual(await state(5 * day - 1), [[], 5 * day])
  assert.deepEqual(await state(5 * day), [['a'], 6 * day])
  assert.deepEqual(await state(6 * day), [['a', 'b'], Number.POSITIVE_INFINITY])
  assert.deepEqual(await state(9 * day, versions(['a'], [], ['a'])), [[], Number.POSITIVE_INFINITY])
  const published = [...all, ...versions([], [], [], [], [], ['a']).slice(-1)]
  assert.deepEqual(await state(5 * day, published), [['a'], 6 * day], 'a later version does not count')
  assert.deepEqual(await state(9 * day, []), [[], Number.POSITIVE_INFINITY])
})

test('removes fields from a profile, and keeps the object when there are none', () => {
  const profile = { id: 'p', userId: 'u', schemaVersion: '1', values: { a: 'x', b: null }, createdAt: 1, updatedAt: 1 }
  assert.equal(withoutFields(profile, new Set(['c', 'toString'])), profile)
  assert.deepEqual(withoutFields(profile, new Set(['a'])), { ...profile, values: { b: null } })
})
