import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  currentKey,
  earlierKey,
  eraseUser,
  headOf,
  purgeBatch,
  sampleEvent,
  sampleLog,
  sealBatch,
  verifySample,
} from './sample-log.testkit.ts'

const ofTenant = () => sampleLog('acme', [5, 1, 8, 3], currentKey)

test('an untouched log has no fault', async () => {
  const log = ofTenant()
  const last = log.batches.at(-1)!
  assert.deepEqual(await verifySample(log), {
    verified: { batches: 4, events: 17 },
    purged: { events: 0, lastBatch: null },
    erased: 0,
    head: { batch: 4, hash: last.hash, sealedAt: last.sealedAt },
    faults: [],
    faultCount: 0,
  })
})

test('an empty log has no fault, with or without a head', async () => {
  for (const head of [null, { batch: 0, sequence: 0, hash: '' }]) {
    const { head: found, faults } = await verifySample({ tenantId: 'acme', events: [], batches: [], head })
    assert.deepEqual([found, faults], [null, []])
  }
})

test('a purged and erased log with several keys has no fault', async () => {
  const log = sampleLog('acme', [5, 6], earlierKey)
  for (const size of [4, 3]) {
    const events = Array.from({ length: size }, (_, index) =>
      sampleEvent('acme', log.events.length + 1 + index, log.batches.length + 1),
    )
    log.batches.push(sealBatch('acme', events, log.batches.at(-1)!, currentKey))
    log.events.push(...events)
  }
  log.head = headOf(log)
  purgeBatch(log, 1, false, currentKey)
  purgeBatch(log, 2, true, currentKey)
  eraseUser(log, 'user-3')
  const { verified, purged, erased, faults } = await verifySample(log)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    [verified, purged],
    [
      { batches: 4, events: 9 },
      { events: 9, lastBatch: 2 },
    ],
  )
  assert.equal(erased, log.events.filter(({ personal }) => personal === null).length)
  assert.ok(erased > 1)
})

test('a verification may begin after a batch, or anywhere', async () => {
  const log = ofTenant()
  const before = log.batches[1]!
  log.batches = log.batches.slice(2)
  log.events = log.events.slice(6)
  for (const from of [{ batch: 2, sequence: 6, hashes: [before.hash] }, null]) {
    const { verified, faults } = await verifySample(log, { from })
    assert.deepEqual([verified, faults], [{ batches: 2, events: 11 }, []])
  }
  const { faults } = await verifySample(log, { from: { batch: 2, sequence: 6, hashes: ['other'] } })
  assert.deepEqual(
    faults.map(({ batch, kind }) => [batch, kind]),
    [[3, 'gap']],
  )
})

test('a log that differs from an earlier checkpoint, or ends before it, was rewritten', async () => {
  const log = ofTenant()
  const known = log.batches.map(({ batch, hash }) => ({ batch, hash, source: 'the checkpoint' }))
  assert.deepEqual((await verifySample(log, { expected: known, reachesExpected: true })).faults, [])
  const other = sampleLog('acme', [5, 1, 7], currentKey)
  const { faults } = await verifySample(other, { expected: known, reachesExpected: true })
  assert.deepEqual(
    faults.map(({ batch, kind, problem }) => [batch, kind, problem]),
    [
      [3, 'changed', 'the batch differs from the checkpoint'],
      [4, 'gap', 'batch 4 is missing at the end; the checkpoint has batch 4'],
    ],
  )
})

test('an event without its personal part is a fault when its person exists', async () => {
  const log = ofTenant()
  eraseUser(log, 'user-2')
  const asked: number[][] = []
  const notErased = async (first: number, last: number) => {
    asked.push([first, last])
    return first === 1 ? [2] : []
  }
  const { erased, faults } = await verifySample(log, {}, { notErased })
  assert.equal(erased, 4)
  assert.deepEqual(asked, [
    [1, 5],
    [7, 14],
    [15, 17],
  ])
  assert.deepEqual(
    faults.map(({ batch, sequence, kind }) => [batch, sequence, kind]),
    [[1, 2, 'changed']],
  )
})

test('a purge while the log is read is not a fault', async () => {
  const [log, purged] = [ofTenant(), ofTenant()]
  purgeBatch(purged, 1, true, currentKey)
  const torn = { ...log, events: purged.events }
  const again = async (batch: number) => ({
    batch: purged.batches[batch - 1]!,
    events: purged.events.filter((event) => event.batch === batch),
  })
  assert.equal((await verifySample(torn)).faultCount, 2)
  const { purged: counted, verified, faults } = await verifySample(torn, {}, { again })
  assert.deepEqual([counted, verified, faults], [{ events: 4, lastBatch: 1 }, { batches: 4, events: 13 }, []])
  // Events that are deleted without a purge are missing whenever they are read.
  assert.equal((await verifySample({ ...purged, batches: log.batches }, {}, { again: async () => null })).faultCount, 2)
})

test('a log that grows while it is read has no fault', async () => {
  const log = ofTenant()
  const events = [...log.events]
  const pages = [log.batches.slice(0, 2), [], log.batches.slice(2, 3), [], log.batches.slice(3)]
  const { verified, faults } = await verifySample(
    log,
    {},
    { nextBatches: async () => pages.shift() ?? [], nextEvents: async () => events.splice(0, 10) },
  )
  assert.deepEqual([verified, faults], [{ batches: 4, events: 17 }, []])
})

test('the first hundred faults are named and all are counted', async () => {
  const log = sampleLog('acme', [400], currentKey)
  log.events = log.events.map((event) => ({ ...event, personal: '{}' }))
  const { faults, faultCount, verified } = await verifySample(log)
  assert.deepEqual([faults.length, faultCount, verified], [100, 400, { batches: 0, events: 0 }])
})
