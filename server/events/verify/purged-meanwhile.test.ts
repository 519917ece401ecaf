import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeOn, openTestStorage } from '../../storage/sqlite/open-storage.testkit.ts'
import { newTenant } from '../../storage/suite/samples.testkit.ts'
import { storing } from '../../storage/suite/sealed-log.testkit.ts'
import { currentKey, purgeBatch, sampleLog, trustedKey } from './sample-log.testkit.ts'
import { verifyStoredLog } from './stored-log.ts'

const empty = 'DELETE FROM events; DELETE FROM event_batches; DELETE FROM event_heads;'

/** Verifies a log of three batches; before its nth read of events, the nth of these changes is made. */
async function verifyDuring(...changes: ((log: ReturnType<typeof sampleLog>) => void)[]) {
  const opened = await openTestStorage()
  await newTenant(opened.storage, { id: 'acme' })
  const sample = sampleLog('acme', [6, 6, 6], currentKey)
  const store = () => executeOn(opened.path, empty + storing('acme', sample))
  store()
  const { eventLog } = opened.storage.forTenant('acme')
  const { between } = eventLog
  eventLog.between = (...range) => {
    changes.shift()?.(sample)
    store()
    return between.apply(eventLog, range)
  }
  try {
    return await verifyStoredLog({
      log: eventLog,
      tenantId: 'acme',
      publicKey: trustedKey,
      fromBatch: 1,
      onSlice: () => {},
    })
  } finally {
    await opened.close()
  }
}

test('a batch that is purged while it is verified has no fault', async () => {
  const { faults, verified } = await verifyDuring((log) => purgeBatch(log, 1, true, currentKey))
  assert.deepEqual([faults, verified], [[], { batches: 3, events: 14 }])
})

test('a batch that is purged again while it is read again has no fault', async () => {
  const { faults, verified } = await verifyDuring(
    (log) => purgeBatch(log, 1, true, currentKey),
    (log) => purgeBatch(log, 1, false, currentKey),
  )
  assert.deepEqual([faults, verified], [[], { batches: 3, events: 12 }])
})
