import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../migrations.ts'
import { queueMany } from '../suite/event-backlog.testkit.ts'
import { batchOf } from '../suite/event-sealing.testkit.ts'
import type { Dump } from '../suite/opened-storage.testkit.ts'
import { newTenant, queuedEventOf, t0 } from '../suite/samples.testkit.ts'
import { dumpFile, openTestStorage } from './open-storage.testkit.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

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

/** The ids of a log in the order of `sequence`. */
const sealedIdsOf = (dump: Dump, tenantId: string) =>
  dump['events']!.filter((row) => row['tenant_id'] === tenantId)
    .toSorted((one, other) => Number(one['sequence']) - Number(other['sequence']))
    .map(({ id }) => id)

test('takes the events that were queued first, and seals them in the order of their ids', async () => {
  const { storage, dump, close } = await openTestStorage()
  const { eventSealing } = storage.system
  const ways = {
    together: (most: number) => eventSealing.seal(most, batchOf),
    alone: (most: number) => eventSealing.sealLog('alone', most, batchOf),
  }
  for (const [tenantId, seal] of Object.entries(ways)) {
    for (const id of ['5', '1', '3', '2', '4']) await storage.forTenant(tenantId).events.add(queuedEventOf({ id }))
    assert.deepEqual([(await seal(3)).events, (await seal(3)).events], [3, 2])
    assert.deepEqual(sealedIdsOf(await dump(), tenantId), ['1', '3', '5', '2', '4'])
  }
  await close()
})

test('erasing a user erases the newest queued events at once', async () => {
  const { storage, dump, execute, close } = await openTestStorage()
  await newTenant(storage, { id: 't' })
  await queueMany(execute, ['t'], 502)
  await execute("UPDATE event_queue SET subject_id = 'u', personal = '{}'")
  await storage.forTenant('t').eventErasures.start('u', t0)
  const kept = (await dump())['event_queue']!.filter((row) => row['personal'] !== null)
  assert.deepEqual(kept.map(({ id }) => id).sort(), ['10001', '10002'])
  await close()
})

test('a database whose queue had a key keeps its queued events, in their order', async () => {
  const earlier = migrations.filter(({ id }) => id < '0019')
  const { storage, path, close } = await openTestStorage({ migrations: earlier })
  for (const id of ['2', '3', '1']) await storage.forTenant('t').events.add(queuedEventOf({ id, personal: null }))
  const before = dumpFile(path)['event_queue']
  await storage.close()
  const migrated = await openSqliteStorage({ path })
  assert.deepEqual(dumpFile(path)['event_queue'], before)
  await migrated.system.eventSealing.seal(10, batchOf)
  assert.deepEqual(sealedIdsOf(dumpFile(path), 't'), ['1', '2', '3'])
  await migrated.close()
  await close()
})
