import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareProfileSchemas } from './compare-profile-schemas.ts'
import { changes, defined } from './schema.testkit.ts'

const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more })

test('follows a value that is copied, split or joined', () => {
  const migrations = (...steps: object[]) => ({ migrations: steps })
  const copied = migrations({ copy: { from: 'a', to: 'b' } }, { drop: 'a' })
  assert.deepEqual(changes([text('a')], [text('b')], copied), [])
  assert.deepEqual(changes([text('a')], [text('b', { rules: { minLength: 3 } })], copied), ['a narrowed'])
  assert.deepEqual(changes([text('a'), text('b')], [text('b')], copied), ['b removed'])
  const kept = migrations({ copy: { from: 'a', to: 'b' } })
  assert.deepEqual(changes([text('a')], [text('a', { rules: { maxLength: 9 } }), text('b')], kept), ['a narrowed'])
  const split = { split: { from: 'a', separator: ' ', to: ['b', 'c'] } }
  assert.deepEqual(changes([text('a')], [text('b', { rules: { maxLength: 9 } }), text('c')], migrations(split)), [])
  assert.deepEqual(changes([text('a'), text('c')], [text('b'), text('c')], migrations(split)), ['c removed'])
  const dropped = migrations({ split: { from: 'a', separator: ' ', to: ['b'] } }, { drop: 'b' })
  assert.deepEqual(changes([text('a')], [text('b')], dropped), ['a removed'])
  const join = migrations({ join: { from: ['a', 'b'], separator: ' ', to: 'c' } }, { drop: 'a' }, { drop: 'b' })
  assert.deepEqual(changes([text('a'), text('b')], [text('c')], join), [])
})

test('reports a field whose values a step would split or join, but not of this type', () => {
  const split = { split: { from: 'a', separator: ' ', to: ['b', 'c'] } }
  const join = { join: { from: ['a'], separator: ' ', to: 'b' } }
  const restructured = (type: string, ...migrations: object[]) =>
    changes([{ name: 'a', type }], [text('b'), text('c')], { migrations })
  for (const type of ['name', 'multiselect', 'list', 'consent']) {
    const options = type === 'multiselect' ? { options: [{ value: 'x' }] } : {}
    const before = defined({ components: [{ name: 'a', type, ...options }] })
    for (const step of [split, join]) {
      const after = defined({ components: [text('b'), text('c')], migrations: [step] })
      const [change] = compareProfileSchemas(before, after)
      assert.match(change!.message, new RegExp(`^Not in the new schema, and no step takes values of type ${type};`))
    }
  }
  assert.deepEqual(restructured('date', split), [])
  assert.deepEqual(restructured('integer', split), ['a removed'])
  for (const type of ['integer', 'number', 'boolean']) assert.deepEqual(restructured(type, join), [], type)
  const cast = { cast: { field: 'a', to: 'text' } }
  const kept = [text('a'), text('b'), text('c')]
  assert.deepEqual(changes([{ name: 'a', type: 'list' }], kept, { migrations: [cast, split] }), ['a retyped'])
  const moved = [cast, split, { drop: 'a' }]
  assert.deepEqual(changes([{ name: 'a', type: 'integer' }], kept.slice(1), { migrations: moved }), [])
  const joined = [
    { join: { from: ['a'], separator: ' ', to: 'd' } },
    { split: { from: 'd', separator: ' ', to: ['b'] } },
  ]
  assert.deepEqual(restructured('integer', ...joined, { drop: 'd' }), [])
})

test('says which steps replace the values of a field, as those of an earlier version do that run again', () => {
  const before = defined({ components: [text('first'), text('last'), text('billing'), text('city')] })
  const again = [
    { split: { from: 'name', separator: ' ', to: ['first', 'last'] } },
    { copy: { from: 'city', to: 'billing' } },
  ]
  const messages = compareProfileSchemas(before, defined({ components: before.components, migrations: again })).map(
    ({ field, kind, message }) => `${field} ${kind}: ${message}`,
  )
  const replaced = 'A migration removes or replaces its values; remove the step if an earlier version has run it.'
  assert.deepEqual(messages, [
    `first removed: ${replaced}`,
    `last removed: ${replaced}`,
    `billing removed: ${replaced}`,
  ])
})
