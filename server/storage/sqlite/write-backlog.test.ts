import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteBacklog } from './write-backlog.ts'

test('refuses a write that would wait longer than the busy timeout, with the time until the queue is empty', () => {
  const backlog = new WriteBacklog(256, 5_000)
  assert.equal(backlog.refusedFor(100_000), null, 'no estimate before the first group')
  backlog.noteGroup(800)
  assert.equal(backlog.refusedFor(6 * 256), null, '4.8 s')
  assert.equal(backlog.refusedFor(10 * 256), 8)
  assert.equal(new WriteBacklog(1, 5_000).refusedFor(999), null)
})

test('always accepts short queues, and adapts to a disk that became faster', () => {
  const backlog = new WriteBacklog(1, 5_000)
  backlog.noteGroup(1_000)
  assert.equal(backlog.refusedFor(999), null, 'a small burst')
  assert.equal(backlog.refusedFor(1_000), 1_000)
  for (let group = 0; group < 50; group++) backlog.noteGroup(1)
  assert.equal(backlog.refusedFor(1_000), null)
})

test('expects a lock to be held for as long as it has been, up to 30 s', () => {
  const backlog = new WriteBacklog(256, 5_000)
  assert.equal(backlog.lockSeconds(1_000), 1)
  backlog.noteLock(false, 1_000)
  backlog.noteLock(false, 3_000)
  assert.equal(backlog.lockSeconds(6_500), 6)
  assert.equal(backlog.lockSeconds(500_000), 30)
  backlog.noteLock(true, 0)
  assert.equal(backlog.lockSeconds(500_000), 1)
})
