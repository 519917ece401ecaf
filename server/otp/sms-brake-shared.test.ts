import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey, type ValkeyServer } from '../../test/support/databases/valkey-server.ts'
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import { createStoredRateLimiter } from '../limits/stored-rate-limiter.ts'
import { createValkeyRateLimiter } from '../limits/valkey-rate-limiter.ts'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import { brakeOver, issue, verifyMany } from './sms-brake.testkit.ts'

describe('an SMS brake', () => {
  let valkey: ValkeyServer
  before(async () => {
    if (!noValkey) valkey = await startValkey()
  })
  /** Closed even after a failed test. */
  const open: { close(): Promise<void> }[] = []
  const kept = <T extends { close(): Promise<void> }>(one: T): T => {
    open.push(one)
    return one
  }
  after(async () => {
    for (const one of open) await one.close()
    await valkey?.close()
  })

  async function admitsTwenty(limiters: readonly ManagedRateLimiter[]): Promise<void> {
    const brakes = limiters.map((limiter) => brakeOver(limiter))
    const waits = await Promise.all(
      Array.from({ length: 50 }, (_, code) => issue(brakes[code % brakes.length]!.brake, 0)),
    )
    assert.equal(waits.filter((wait) => wait === null).length, 20)
    assert.deepEqual([...new Set(waits.filter((wait) => wait !== null))], [3600])
    assert.equal(
      brakes.reduce((sum, { pauses }) => sum + pauses(), 0),
      1,
    )
    // Verified in the other process.
    await verifyMany(brakes.at(-1)!.brake, 0, 2)
    assert.equal(await issue(brakes[0]!.brake, 0), null)
  }

  test('issues exactly 20 of 50 concurrent codes in one process', () => admitsTwenty([createLocalRateLimiter()]))

  test('issues exactly 20 of 50 concurrent codes in two processes on one database', async () => {
    const { storage } = kept(await openTestStorage())
    const limiters = [0, 1].map(() => createStoredRateLimiter(storage.system.limitLogs))
    await admitsTwenty(limiters)
  })

  test('issues exactly 20 of 50 concurrent codes in two processes on Valkey', { skip: noValkey }, async () => {
    const logger = pino({ level: 'silent' })
    const connect = async () => kept(await createValkeyRateLimiter(valkey.address, { logger, answerMs: 2_000 }))
    await admitsTwenty([await connect(), await connect()])
  })
})
