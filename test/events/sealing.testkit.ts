import assert from 'node:assert/strict'
import { pino } from 'pino'
import { type CheckpointKeys, createCheckpointKeys } from '../../server/events/checkpoint-keys.ts'
import type { EventSealing, SealBatch, Sealing } from '../../server/events/event-sealing.ts'
import { sealBatchWith } from '../../server/events/seal-batch.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { queuedEventOf, t0 } from '../../server/storage/suite/samples.testkit.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import type { StorageHooks, StoredRow, TestDatabase } from '../support/databases/test-database.ts'
import { logsIn, verifyStoredLog } from '../support/events/stored-log.ts'

export const logger = pino({ level: 'silent' })
const keyring = createKeyring(generateMasterKeys(t0))

/** The logs of a test, unless it names others. */
export const tenants = ['one', 'two', 'three']

/** A database whose events are sealed by the test. */
export interface SealingWorld extends AsyncDisposable {
  readonly database: TestDatabase
  readonly storage: Storage
  readonly keys: CheckpointKeys
  readonly sealBatch: SealBatch
  readonly sealing: EventSealing
  /** Queues events with these numbers in their ids, in this order, in each log. */
  queue(numbers: readonly number[], tenantIds?: readonly string[]): Promise<void>
  /** Works with a storage that has these hooks, like another process. */
  elsewhere<T>(hooks: StorageHooks, work: (sealing: EventSealing) => Promise<T>): Promise<T>
  /** The rows of the tables that sealing writes. */
  stored(): Record<string, StoredRow[] | undefined>
  batchesOf(tenantId: string): StoredRow[]
  /** Asserts that every log verifies, and has the events with these numbers once, in this order. */
  requireSealed(numbers: readonly number[], tenantIds?: readonly string[]): Promise<void>
}

/** The ways to seal: all logs together, and the log `one` alone. */
export const ways: Record<string, (sealing: EventSealing, most: number, seal: SealBatch) => Promise<Sealing>> = {
  together: (sealing, most, seal) => sealing.seal(most, seal),
  alone: (sealing, most, seal) => sealing.sealLog('one', most, seal),
}

const idOf = (number: number) => `id ${String(number).padStart(4, '0')}`

export async function openSealingWorld(): Promise<SealingWorld> {
  const database = openTestDatabase()
  const storage = await database.open()
  const keys = createCheckpointKeys({ store: storage.system.checkpointKeys, keyring, logger })
  return {
    database,
    storage,
    keys,
    sealBatch: sealBatchWith(await keys.signer(t0), t0),
    sealing: storage.system.eventSealing,
    async queue(numbers, tenantIds = tenants) {
      for (const tenantId of tenantIds)
        await storage.forTenant(tenantId).write(async (tx) => {
          for (const number of numbers) await tx.events.add(queuedEventOf({ id: idOf(number), personal: null }))
        })
    },
    async elsewhere(hooks, work) {
      const other = await database.open(hooks)
      try {
        return await work(other.system.eventSealing)
      } finally {
        await other.close()
      }
    },
    stored() {
      const { event_queue, events, event_heads, event_batches } = database.everything()
      return { event_queue, events, event_heads, event_batches }
    },
    batchesOf: (tenantId) => database.ask('SELECT * FROM event_batches WHERE tenant_id = ? ORDER BY batch', tenantId),
    async requireSealed(numbers, tenantIds = tenants) {
      assert.deepEqual(logsIn(database), tenantIds.toSorted())
      for (const tenantId of tenantIds) {
        const rows = database.ask('SELECT sequence, id FROM events WHERE tenant_id = ? ORDER BY sequence', tenantId)
        assert.deepEqual(
          rows.map(({ sequence, id }) => [Number(sequence), id]),
          numbers.map((number, index) => [index + 1, idOf(number)]),
        )
        assert.deepEqual((await verifyStoredLog(database, tenantId)).faults, [])
      }
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database.release()
    },
  }
}
