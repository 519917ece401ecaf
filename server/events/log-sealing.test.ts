import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import { batchOf } from '../storage/suite/event-sealing.testkit.ts'
import { queuedEventOf, t0 } from '../storage/suite/samples.testkit.ts'
import { LogSealing } from './log-sealing.ts'

/** Logs of which `failing` cannot be sealed until `repair`, because its event has the id of a sealed one. */
async function start(t: TestContext) {
  const { storage, execute, close } = await openTestStorage()
  t.after(close)
  let ids = 100
  const queue = (tenantId: string, at: number, id = `${ids++}`) =>
    storage.forTenant(tenantId).events.add(queuedEventOf({ id, at }))
  const logs = new LogSealing(storage.system.eventSealing, { error: () => {} })
  const seal = async () => {
    const { heldMs: _, ...sealed } = await logs.seal(1_000, batchOf)
    return sealed
  }
  await queue('failing', t0, '1')
  await queue('another', t0, '2')
  await seal()
  await queue('failing', t0, '1')
  assert.equal((await seal()).events, 0)
  let later = 0
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + later)
  async function repair(): Promise<void> {
    await execute(`UPDATE event_queue SET id = id || '0' WHERE tenant_id = 'failing'`)
    later = 1_000
  }
  return { queue, seal, repair }
}

test('counts a log that failed before with the logs that are sealed together', async (t) => {
  const { queue, seal, repair } = await start(t)
  await queue('sound', t0 + 1)
  await queue('sound', t0 + 2)
  await repair()
  assert.deepEqual(await seal(), { events: 3, batches: 2, oldest: t0, mayHaveMore: false })
})

test('counts a log that failed before with the logs that are sealed one by one', async (t) => {
  const { queue, seal, repair } = await start(t)
  await queue('another', t0, '2')
  await queue('sound', t0 + 1)
  await queue('sound', t0 + 2)
  await repair()
  assert.deepEqual(await seal(), { events: 3, batches: 2, oldest: t0, mayHaveMore: true })
})
