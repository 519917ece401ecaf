import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueMany } from '../suite/event-backlog.testkit.ts'
import { batchOf } from '../suite/event-sealing.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

test('a backlog of several logs leaves the queue in steps, so that its pages are used again while they are in the cache', async () => {
  const steps: number[] = []
  const onStatement = (name: string) => {
    if (name === 'sqlite.eventQueue.removeUntil') steps.push(0)
    if (name === 'eventLog.add') steps[steps.length - 1]!++
  }
  const { storage, execute, dump, close } = await openTestStorage({ hooks: { onStatement } })
  await queueMany(execute, ['one', 'two'], 1_000)
  assert.equal((await storage.system.eventSealing.seal(1_900, batchOf)).events, 1_900)
  assert.deepEqual(steps, [400, 400, 400, 400, 300])
  const tables = await dump()
  assert.equal(tables['events']!.length, 1_900)
  assert.equal(tables['event_queue']!.length, 100)
  await close()
})
