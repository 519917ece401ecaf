import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache } from './lru-cache.ts'

test('drops the entries that were set or got longest ago, whatever was peeked at', () => {
  const cache = new LruCache<string>(3)
  for (const key of ['a', 'b', 'c']) cache.set(key, key)
  cache.get('a')
  cache.peek('b')
  cache.set('d', 'd')
  assert.deepEqual([...cache.values()], ['c', 'a', 'd'])
  cache.set('c', 'C')
  cache.set('e', 'e')
  assert.deepEqual([...cache.values()], ['d', 'C', 'e'])
  assert.deepEqual([cache.get('a'), cache.peek('c'), cache.size], [undefined, 'C', 3])
})

test('counts the sizes of its entries, and keeps one that is larger than the capacity until the next is set', () => {
  const cache = new LruCache<string>(10, (value, key) => value.length + key.length)
  for (const key of ['a', 'b']) cache.set(key, '1234')
  cache.set('a', '12')
  assert.equal(cache.size, 8)
  cache.set('c', '1'.repeat(20))
  assert.deepEqual([[...cache.values()].length, cache.size], [1, 21])
  cache.set('d', '1')
  assert.deepEqual([[...cache.values()], cache.size], [['1'], 2])
  cache.delete('d')
  cache.delete('d')
  assert.equal(cache.size, 0)
})
