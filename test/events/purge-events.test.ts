import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createEventPurge } from '../../server/events/purge-events.ts'
import {
  currentKey,
  purgeBatch,
  sampleLog,
  sealedAtOf,
  verifySample,
} from '../../server/events/verify/sample-log.testkit.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import type { StorageHooks } from '../support/databases/test-database.ts'
import { storedLog, storeLog } from '../support/events/sealed-log-rows.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const DAY = 86_400_000
const HOUR = DAY / 24

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Operators' acts are each third event: 3, 6, 9, …; the second batch has none. */
const sizes = [4, 1, 5, 2]

const checkpointKeys = { signer: async () => currentKey }

/** A tenant whose log has batches of these sizes, sealed a minute apart. */
async function addLog(events: object = {}, ofBatches: readonly number[] = sizes): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { events })
  storeLog(service.database, sampleLog(tenant.tenantId, ofBatches, currentKey))
  return tenant
}

/** Purges as a process that started just now. */
async function purgeAt(now: number, storage: Storage = service.service.services.storage) {
  const errors: object[] = []
  const { snapshots } = service.service.services
  await createEventPurge({
    storage,
    snapshots,
    checkpointKeys,
    logger: { error: (line: object) => errors.push(line) },
  })(now)
  return errors
}

const sequences = (tenantId: string) => storedLog(service.database, tenantId).events.map(({ sequence }) => sequence)

async function verifies(tenantId: string) {
  assert.deepEqual((await verifySample(storedLog(service.database, tenantId))).faults, [])
}

test('old batches lose their events, later those of operators too, and the log verifies', async () => {
  const { tenantId } = await addLog({ days: 10, operatorDays: 20 })
  const whole = storedLog(service.database, tenantId)
  await purgeAt(sealedAtOf(1) + 10 * DAY)
  assert.deepEqual(storedLog(service.database, tenantId), whole)

  await purgeAt(sealedAtOf(2) + 10 * DAY + 1)
  assert.deepEqual(sequences(tenantId), [3, 6, 7, 8, 9, 10, 11, 12])
  await verifies(tenantId)
  const [first, second] = storedLog(service.database, tenantId).batches
  assert.equal(first!.kept, 1)
  assert.equal(Buffer.from(first!.rowHashes!, 'base64url').length, 4 * 32)
  assert.deepEqual([second!.kept, second!.rowHashes], [0, null])

  await purgeAt(sealedAtOf(4) + 10 * DAY + 1)
  assert.deepEqual(sequences(tenantId), [3, 6, 9, 12])
  await verifies(tenantId)

  await purgeAt(sealedAtOf(3) + 20 * DAY + 1)
  assert.deepEqual(sequences(tenantId), [12])
  await verifies(tenantId)
  await purgeAt(sealedAtOf(4) + 20 * DAY + 1)
  const purged = storedLog(service.database, tenantId)
  assert.deepEqual([purged.events, purged.batches.length], [[], 4])
  assert.ok(purged.batches.every(({ kept, rowHashes }) => kept === 0 && rowHashes === null))
  await verifies(tenantId)
  await purgeAt(sealedAtOf(4) + 100 * DAY)
  assert.deepEqual(storedLog(service.database, tenantId), purged)
})

test('the mark of a purge is the one that verifiers compute', async () => {
  const { tenantId } = await addLog({ days: 1, operatorDays: 2 })
  const expected = sampleLog(tenantId, sizes, currentKey)
  purgeBatch(expected, 1, true, currentKey)
  await purgeAt(sealedAtOf(1) + DAY + 1)
  const { purgedAt, purgeSignature, ...mark } = storedLog(service.database, tenantId).batches[0]!
  const { purgedAt: _at, purgeSignature: _signature, ...sample } = expected.batches[0]!
  assert.deepEqual(mark, sample)
  assert.equal(purgedAt, sealedAtOf(1) + DAY + 1)
})

test('a shorter time applies to what is stored, a longer one brings nothing back', async () => {
  const { tenantId } = await addLog({ days: 30, operatorDays: 30 })
  const now = sealedAtOf(2) + 10 * DAY + 1
  await purgeAt(now)
  assert.equal(sequences(tenantId).length, 12)
  const configure = (events: object) => service.admin.updateConfiguration({ tenantId }, { events })
  await configure({ days: 10, operatorDays: 10 })
  await purgeAt(now)
  const left = [6, 7, 8, 9, 10, 11, 12]
  assert.deepEqual(sequences(tenantId), left)
  await configure({ days: 3650, operatorDays: 3650 })
  await purgeAt(now)
  assert.deepEqual(sequences(tenantId), left)
  await verifies(tenantId)
})

test('acts of operators are kept at least as long as everything else', async () => {
  const { tenantId } = await addLog({ days: 30, operatorDays: 1 })
  await purgeAt(sealedAtOf(4) + 30 * DAY)
  assert.deepEqual(sequences(tenantId), [11, 12])
  await verifies(tenantId)
})

test('the log of the deployment is kept for 400 days', async () => {
  storeLog(service.database, sampleLog('deployment', sizes, currentKey))
  await purgeAt(sealedAtOf(4) + 400 * DAY)
  assert.deepEqual(sequences('deployment'), [11, 12])
  await purgeAt(sealedAtOf(4) + 400 * DAY + 1)
  assert.deepEqual(sequences('deployment'), [])
  await verifies('deployment')
})

test('a purge that dies within a batch leaves the batch whole, and the next one completes it', async () => {
  // Logs of earlier tests have nothing left to purge then.
  await purgeAt(sealedAtOf(4) + 4000 * DAY)
  const { tenantId } = await addLog({ days: 1, operatorDays: 1 })
  const now = sealedAtOf(4) + DAY + 1
  let marks = 0
  const hooks: StorageHooks = {
    onStatement: (name: string) => {
      if (name === 'eventPurge.mark' && ++marks >= 3) throw new Error('killed')
    },
  }
  const dying = await service.database.open(hooks)
  await assert.rejects(purgeAt(now, dying), /failed for tenant/)
  await dying.close()
  assert.deepEqual(sequences(tenantId), [6, 7, 8, 9, 10, 11, 12])
  await verifies(tenantId)
  await purgeAt(now)
  assert.deepEqual(sequences(tenantId), [])
  await verifies(tenantId)
})

test('reads a large batch in pages before the transaction that deletes it', async () => {
  await purgeAt(sealedAtOf(4) + 4000 * DAY)
  const { tenantId } = await addLog({ days: 1, operatorDays: 2 }, [500, 600])
  const statements: string[] = []
  const onStatement = (name: string) => {
    if (name.startsWith('eventPurge.') && !name.startsWith('eventPurge.list')) statements.push(name.slice(11))
  }
  const storage = await service.database.open({ onStatement })
  const operators = sequences(tenantId).filter((sequence) => sequence % 3 === 0)
  const end = ['lock', 'deleteOthers', 'mark']
  assert.deepEqual(await purgeAt(sealedAtOf(2) + DAY + 1, storage), [])
  // A full page may be the last one.
  assert.deepEqual(statements.splice(0), ['rows', 'rows', 'rows', ...end, 'rows', 'rows', 'rows', ...end])
  assert.deepEqual(sequences(tenantId), operators)
  await verifies(tenantId)
  await purgeAt(sealedAtOf(2) + 2 * DAY + 1, storage)
  assert.deepEqual(sequences(tenantId), [])
  await verifies(tenantId)
  await storage.close()
})

test('two processes that purge at once each do a part', async () => {
  const { tenantId } = await addLog({ days: 1, operatorDays: 2 })
  const other = await service.database.open()
  const now = sealedAtOf(4) + DAY + 1
  const errors = await Promise.all([purgeAt(now), purgeAt(now, other)])
  assert.deepEqual([errors.flat(), sequences(tenantId)], [[], [3, 6, 9, 12]])
  await verifies(tenantId)
  assert.deepEqual((await Promise.all([purgeAt(now + DAY), purgeAt(now + DAY, other)])).flat(), [])
  await verifies(tenantId)
  await other.close()
})

test('events that are not those that were sealed are deleted in time, and verification still reports them', async () => {
  const { tenantId } = await addLog({ days: 1, operatorDays: 2 })
  await writeStored(
    service,
    `UPDATE events SET actor_id = 'other' WHERE tenant_id = ? AND sequence IN (1, 9)`,
    tenantId,
  )
  const errors = await purgeAt(sealedAtOf(4) + DAY + 1)
  assert.deepEqual(errors, [
    { tenant: tenantId, batch: 1 },
    { tenant: tenantId, batch: 3 },
  ])
  assert.deepEqual(sequences(tenantId), [3, 6, 9, 12])
  assert.deepEqual(await purgeAt(sealedAtOf(4) + DAY + HOUR), [])
  await purgeAt(sealedAtOf(4) + 2 * DAY + 1)
  assert.deepEqual(sequences(tenantId), [])
  const { faults } = await verifySample(storedLog(service.database, tenantId))
  assert.deepEqual([...new Set(faults.map(({ batch }) => batch))], [1, 3])
})

test('a kept act that is changed or deleted is not signed away with the end of its retention', async () => {
  const { tenantId } = await addLog({ days: 1, operatorDays: 2 })
  await purgeAt(sealedAtOf(4) + DAY + 1)
  await writeStored(service, `UPDATE events SET actor_id = 'other' WHERE tenant_id = ? AND sequence = 3`, tenantId)
  await writeStored(service, 'DELETE FROM events WHERE tenant_id = ? AND sequence = 9', tenantId)
  assert.deepEqual(await purgeAt(sealedAtOf(4) + 2 * DAY + 1), [
    { tenant: tenantId, batch: 1 },
    { tenant: tenantId, batch: 3 },
  ])
  assert.deepEqual(sequences(tenantId), [])
  const { faults } = await verifySample(storedLog(service.database, tenantId))
  assert.deepEqual(
    faults.map(({ batch, kind }) => [batch, kind]),
    [
      [1, 'missing'],
      [3, 'missing'],
    ],
  )
})

test('looks for old events once an hour', async () => {
  const { tenantId } = await addLog({ days: 1, operatorDays: 1 })
  const { storage, snapshots } = service.service.services
  const purge = createEventPurge({ storage, snapshots, checkpointKeys, logger: { error: assert.fail } })
  const now = sealedAtOf(1) + DAY
  await purge(now)
  await purge(now + HOUR - 1)
  assert.equal(sequences(tenantId).length, 12)
  await purge(now + HOUR)
  assert.deepEqual(sequences(tenantId), [])
})

test('purges within the hour when the clock was a year ahead and is back', async () => {
  const { storage, snapshots } = service.service.services
  const purge = createEventPurge({ storage, snapshots, checkpointKeys, logger: { error() {} } })
  await purge(sealedAtOf(4) + 365 * DAY)
  const { tenantId } = await addLog({ days: 10, operatorDays: 20 })
  await purge(sealedAtOf(4) + 20 * DAY + 1)
  assert.deepEqual(sequences(tenantId), [])
})
