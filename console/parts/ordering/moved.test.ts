import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved } from './moved.ts'

test('moves an item to another place, and changes nothing else', () => {
  const items = ['a', 'b', 'c']
  assert.deepEqual(moved(items, 2, 0), ['c', 'a', 'b'])
  assert.deepEqual(moved(items, 0, 1), ['b', 'a', 'c'])
  assert.deepEqual(moved(items, 1, 1), items)
})
