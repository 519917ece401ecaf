import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, placeAt, placeBeside, sectionIndexAt } from './list-places.ts'

const field = (name: string) => ({ key: name, name, type: 'text' as const })
const section = (key: string, ...fields: string[]) => ({ key, section: key, fields })
const fields = ['a', 'b', 'c', 'd'].map(field)
const lines = linesOf({ fields, sections: [section('one', 'a', 'b'), section('two', 'c')] })

test('lists sections with their fields, then fields of no section', () => {
  const ids = ['section:one', 'field:a', 'field:b', 'section:two', 'field:c', 'section:', 'field:d']
  assert.deepEqual(
    lines.map(({ id }) => id),
    ids,
  )
  const without = linesOf({ fields, sections: [] }).map(({ id }) => id)
  assert.deepEqual(without, ['field:a', 'field:b', 'field:c', 'field:d'])
  assert.equal(linesOf({ fields: [], sections: [section('one')] }).length, 1)
  const repeated = linesOf({ fields: fields.slice(0, 1), sections: [section('one', 'a'), section('two', 'a')] })
  assert.deepEqual(
    repeated.map(({ id }) => id),
    ['section:one', 'field:a', 'section:two', 'field:a:two'],
  )
})

test('a field goes below the head that it is dropped under', () => {
  assert.deepEqual(placeAt(lines, 1, 2), { section: 'one', index: 1 })
  assert.deepEqual(placeAt(lines, 1, 3), { section: 'two', index: 0 })
  assert.deepEqual(placeAt(lines, 1, 4), { section: 'two', index: 1 })
  assert.deepEqual(placeAt(lines, 4, 3), { section: 'one', index: 2 })
  assert.deepEqual(placeAt(lines, 4, 0), { section: 'one', index: 0 })
  assert.deepEqual(placeAt(lines, 1, 6), { section: null, index: 1 })
  assert.deepEqual(placeAt(linesOf({ fields, sections: [] }), 0, 2), { section: null, index: 2 })
})

test('moves up and down through all sections', () => {
  assert.deepEqual(placeBeside(lines, 2, 1), { section: 'two', index: 0 })
  assert.deepEqual(placeBeside(lines, 4, -1), { section: 'one', index: 2 })
  assert.equal(placeBeside(lines, 1, -1), null)
  assert.equal(placeBeside(lines, 6, 1), null)
  assert.deepEqual([sectionIndexAt(lines, 3, 0), sectionIndexAt(lines, 0, 5)], [0, 1])
})
