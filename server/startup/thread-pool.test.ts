import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeThreadPool } from './thread-pool.ts'

test('sizes the thread pool unless its size is set; an empty value counts as unset', () => {
  const sizeOf = (environment: NodeJS.ProcessEnv) => {
    sizeThreadPool(environment)
    return Number(environment['UV_THREADPOOL_SIZE'])
  }
  const size = sizeOf({})
  assert.ok(size > 4)
  // libuv takes an empty value for one thread.
  assert.equal(sizeOf({ UV_THREADPOOL_SIZE: '' }), size)
  assert.equal(sizeOf({ UV_THREADPOOL_SIZE: '3' }), 3)
})
