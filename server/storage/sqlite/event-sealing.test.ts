import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOfBatch } from '../stores/event-sealing.ts'
import { batchOf } from '../suite/event-sealing.testkit.ts'
import { queuedEventOf } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

test('a transaction of more events than a batch may have stores several', async () => {
  const { storage, dump, close } = await openTestStorage()
  const ids = Array.from({ length: mostOfBatch + 2 }, (_, index) => `${10_000 + index}`)
  await Promise.all(ids.map((id) => storage.forTenant('one').events.add(queuedEventOf({ id }))))
  const { events, batches } = await storage.system.eventSealing.seal(mostOfBatch + 1, batchOf)
  assert.deepEqual([events, batches], [mostOfBatch + 1, 2])
  const tables = await dump()
  assert.deepEqual(
    tables['event_batches']!.map((row) => [row['batch'], row['first_sequence'], row['count'], row['previous']]),
    [
      [1, 1, mostOfBatch, ''],
      [2, mostOfBatch + 1, 1, 'hash 1'],
    ],
  )
  assert.deepEqual(
    tables['event_heads']!.map((row) => [row['batch'], row['sequence'], row['hash']]),
    [[2, mostOfBatch + 1, 'hash 2']],
  )
  assert.equal(tables['event_queue']!.length, 1)
  await close()
})
