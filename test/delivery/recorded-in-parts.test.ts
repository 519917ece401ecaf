import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Outbox } from '../../server/delivery/outbox.ts'
import { OutboxWorker } from '../../server/delivery/outbox-worker.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { openTestStorage } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { atOnce, newTenant, noticeOf, t0 } from '../../server/storage/suite/samples.testkit.ts'
import { manualClock } from '../support/manual-clock.ts'

test('records at most 1,000 results per transaction', async () => {
  const { storage, dump, close } = await openTestStorage()
  const { outbox } = storage.system
  // As many as are sent concurrently: sixteen of each tenant.
  const tenants = await atOnce(80, () => newTenant(storage))
  await Promise.all(tenants.flatMap(({ messages }) => Array.from({ length: 16 }, () => messages.notify(noticeOf()))))

  const recorded: number[] = []
  const counted: Outbox = {
    readAgain: (...message) => outbox.readAgain(...message),
    releaseAll: (now) => outbox.releaseAll(now),
    depth: (most) => outbox.depth(most),
    recordAndClaim(results, request) {
      if (results.length > 0) recorded.push(results.length)
      return outbox.recordAndClaim(results, request)
    },
  }
  const allUnderWay = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<null>()
  let underWay = 0
  const worker = new OutboxWorker({
    outbox: counted,
    clock: manualClock(t0),
    logger: pino({ level: 'silent' }),
    owner: 'me',
    keyring: createKeyring(generateMasterKeys(t0)),
    transport: { canDeliver: () => true, deliver: () => Promise.reject(new Error('unexpected delivery')) },
    findTenant() {
      if (++underWay === 1_280) allUnderWay.resolve()
      return answer.promise
    },
  })
  worker.start()
  await allUnderWay.promise
  answer.resolve(null)
  await worker.drain()
  assert.deepEqual(recorded, [1_000, 280])
  assert.ok((await dump())['outbox']!.every(({ state }) => state === 'cancelled'))
  await worker.stop()
  await close()
})
