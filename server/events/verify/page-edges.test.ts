import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { openTestStorage } from '../../storage/sqlite/open-storage.testkit.ts'
import { newTenant } from '../../storage/suite/samples.testkit.ts'
import { storing } from '../../storage/suite/sealed-log.testkit.ts'
import { currentKey, sampleLog, trustedKey } from './sample-log.testkit.ts'
import { verifyStoredLog } from './stored-log.ts'
import { makeLax } from './stored-tampering.testkit.ts'

let opened: Awaited<ReturnType<typeof openTestStorage>>
let database: DatabaseSync
/** A table without unique numbers, as someone who can write the database can make it. */
before(async () => {
  opened = await openTestStorage()
  await newTenant(opened.storage, { id: 'acme' })
  database = new DatabaseSync(opened.path)
  makeLax(database)
})
after(async () => {
  database.close()
  await opened.close()
})

const store = (sizes: readonly number[]) => {
  database.exec('DELETE FROM events; DELETE FROM event_batches; DELETE FROM event_heads')
  database.exec(storing('acme', sampleLog('acme', sizes, currentKey)))
}
const copy = (table: 'events' | 'event_batches', condition: string) =>
  database.exec(`INSERT INTO ${table} SELECT * FROM ${table} WHERE ${condition}`)

async function faults() {
  const log = opened.storage.forTenant('acme').eventLog
  const result = await verifyStoredLog({
    log,
    tenantId: 'acme',
    publicKey: trustedKey,
    fromBatch: 1,
    onSlice: () => {},
  })
  return result.faults.map(({ batch, sequence, kind }) => `${batch}.${sequence ?? ''} ${kind}`)
}

test('an event twice is found wherever a page of events ends', async () => {
  for (const sequence of [1, 249, 250, 251, 499, 500, 501, 600]) {
    store([600])
    copy('events', `sequence = ${sequence}`)
    assert.deepEqual(await faults(), [`1.${sequence} reordered`], String(sequence))
  }
})

test('a batch twice is found wherever a page of batches ends', async () => {
  for (const batch of [1, 39, 40, 41, 80, 90]) {
    store(Array(90).fill(1))
    copy('event_batches', `batch = ${batch}`)
    assert.ok((await faults()).includes(`${batch}. reordered`), String(batch))
  }
})

test('an event more often than a page holds is found', async () => {
  store([600])
  for (let doubled = 0; doubled < 9; doubled++) copy('events', 'sequence = 250')
  assert.ok((await faults()).every((fault) => fault === '1.250 reordered'))
  assert.ok((await faults()).length > 0)
})
