import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOfBatch } from '../stores/event-sealing.ts'
import { batchOf } from './event-sealing.testkit.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { t0 } from './samples.testkit.ts'

/** Queues so many events of each tenant, with ids from `after` + 1 on. */
export async function queueMany(
  execute: (sql: string) => Promise<void>,
  tenantIds: readonly string[],
  count: number,
  after = 10_000,
): Promise<void> {
  for (const tenantId of tenantIds)
    await execute(
      `INSERT INTO event_queue (tenant_id, id, at, type, actor_kind, subject_kind, outcome, public, commitment)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT '${tenantId}', CAST(${after} + i AS TEXT), ${t0}, 'user.created', 'system', 'user', 'done', '{}', '' FROM n`,
    )
}

/** Sealing of many events at once. */
export function eventBacklogTests(open: OpenStorage): void {
  test('a transaction of more events than a batch may have stores several', async () => {
    const { storage, dump, execute, close } = await open()
    await queueMany(execute, ['many'], mostOfBatch + 1)
    await queueMany(execute, ['few'], 1, 20_000)
    const { events, batches } = await storage.system.eventSealing.seal(mostOfBatch + 2, batchOf)
    assert.deepEqual([events, batches], [mostOfBatch + 2, 3])
    const after = await dump()
    const batchRows = after['event_batches']!.map((row) =>
      [row['tenant_id'], row['batch'], row['first_sequence'], row['count'], row['previous']].join(' '),
    )
    assert.deepEqual(batchRows.sort(), ['few 1 1 1 ', `many 1 1 ${mostOfBatch} `, `many 2 ${mostOfBatch + 1} 1 hash 1`])
    const placeOf = new Map(after['events']!.map((row) => [row['id'], `${row['sequence']} ${row['batch']}`]))
    for (let number = 1; number <= mostOfBatch + 1; number++)
      assert.equal(placeOf.get(`${10_000 + number}`), `${number} ${number <= mostOfBatch ? 1 : 2}`)
    const { batch, sequence, hash } = after['event_heads']!.find((row) => row['tenant_id'] === 'many')!
    assert.deepEqual([Number(batch), Number(sequence), hash], [2, mostOfBatch + 1, 'hash 2'])
    assert.equal(after['event_queue']!.length, 0)
    await close()
  })
}
