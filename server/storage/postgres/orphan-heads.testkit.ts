import assert from 'node:assert/strict'
import { batchOf } from '../suite/event-sealing.testkit.ts'
import { queuedEventOf } from '../suite/samples.testkit.ts'
import type { PostgresForTests } from './postgres.testkit.ts'

/** Erases events of new logs while they are being sealed, together with another log and alone. */
export async function requireNoOrphanHeads(postgres: PostgresForTests): Promise<void> {
  const { storage, dump, close } = await postgres.open()
  const { eventSealing } = storage.system
  const ways = {
    together: () => eventSealing.seal(10, batchOf),
    alone: () => eventSealing.sealLog('erased alone', 10, batchOf),
  }
  for (const [way, seal] of Object.entries(ways)) {
    for (const tenantId of [`erased ${way}`, `kept ${way}`])
      await storage.forTenant(tenantId).events.add(queuedEventOf())
    await postgres.execute(`BEGIN; DELETE FROM event_queue WHERE tenant_id = 'erased ${way}'`)
    const sealing = seal()
    await postgres.untilBlocked(1)
    await postgres.execute('COMMIT')
    assert.equal((await sealing).events, way === 'together' ? 1 : 0)
  }
  const { event_heads = [], event_batches = [] } = await dump()
  for (const rows of [event_heads, event_batches])
    assert.deepEqual(
      rows.map((row) => row['tenant_id']),
      ['kept together'],
    )
  await close()
}
