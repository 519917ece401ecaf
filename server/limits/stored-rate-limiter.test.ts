import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../test/support/databases/postgres-server.ts'
import { type StallingProxy, startStallingProxy } from '../../test/support/faults/stalling-proxy.ts'
import { ServiceError } from '../core/service-error.ts'
import { openPostgresStorage } from '../storage/postgres/postgres-storage.ts'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import type { Storage } from '../storage/storage.ts'
import type { OpenedStorage } from '../storage/suite/opened-storage.testkit.ts'
import type { ManagedRateLimiter } from './rate-limiter.ts'
import { createStoredRateLimiter } from './stored-rate-limiter.ts'
import { HOUR, START, TEN } from './suite/limiter-kind.testkit.ts'
import { limiterSuite } from './suite/limiter-suite.testkit.ts'

const limiterOn = (storage: Storage) => createStoredRateLimiter(storage.system.limitLogs)
const isUnavailable = (error: unknown) =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.details.retryAfterSeconds === 1

let postgres: PostgresServer
let proxy: StallingProxy
let storages: Storage[]
let pair: [ManagedRateLimiter, ManagedRateLimiter]

before(async () => {
  postgres = await startPostgres()
  const url = new URL(await postgres.createDatabase())
  proxy = await startStallingProxy(Number(url.port))
  url.port = String(proxy.port)
  storages = [await openPostgresStorage({ url: url.href }), await openPostgresStorage({ url: url.href })]
  pair = [limiterOn(storages[0]!), limiterOn(storages[1]!)]
})
after(async () => {
  for (const storage of storages) await storage.close()
  await proxy.close()
  await postgres.close()
})

limiterSuite({ name: 'PostgreSQL', limiters: () => pair, modelRuns: 10 })

test('fails within seconds when the database does not answer, and continues with the stored counts', async () => {
  const [limiter] = pair
  const take = (subject: string) => limiter.take('resend', subject, TEN, START)
  for (let i = 0; i < 8; i++) await take('stalled')
  proxy.stall()
  const begun = performance.now()
  const asked = [...Array.from({ length: 20 }, () => take('stalled')), take('another'), take('a third')]
  const settled = await Promise.allSettled(asked)
  const ms = performance.now() - begun
  for (const each of settled) assert.ok(each.status === 'rejected' && isUnavailable(each.reason))
  assert.ok(ms < 3_000, `${Math.round(ms)} ms`)
  proxy.flow()
  // One take was under way and may have been stored, although its caller got an error.
  const verdicts = await Promise.all(Array.from({ length: 20 }, () => take('stalled')))
  const admitted = verdicts.filter((verdict) => verdict.admitted).length
  assert.ok(admitted === 1 || admitted === 2, `${admitted}`)
})

describe('limiter on any SQL database', () => {
  let opened: OpenedStorage & { readonly path: string }
  let statements: string[]
  let failing = false
  before(async () => {
    statements = []
    const onStatement = (name: string) => {
      if (!name.startsWith('limitLog.')) return
      statements.push(name)
      if (failing) throw new Error('disk I/O error')
    }
    opened = await openTestStorage({ hooks: { onStatement } })
  })
  after(() => opened.close())

  const statementsOf = async (work: () => unknown) => {
    statements.length = 0
    await work()
    return statements.map((name) => name.replace('limitLog.', ''))
  }

  test('takes with one statement without concurrent changes, and refuses with one', async () => {
    const limiter = limiterOn(opened.storage)
    const take = () => limiter.take('resend', 'alone', TEN, START)
    for (let i = 0; i < 10; i++) assert.deepEqual(await statementsOf(take), ['exchange'])
    assert.deepEqual(await statementsOf(take), ['find'])
    assert.deepEqual(await statementsOf(() => limiter.peek('resend', 'alone', TEN, START)), ['find'])
    const giveBack = () => limiter.giveBack('resend', 'alone', TEN, START)
    assert.deepEqual(await statementsOf(giveBack), ['exchange'])
  })

  test('takes with two statements after a change by another process', async () => {
    const [one, other] = [limiterOn(opened.storage), limiterOn(opened.storage)]
    await one.take('resend', 'shared', TEN, START)
    const take = async () => assert.equal((await other.take('resend', 'shared', TEN, START)).remaining, 8)
    assert.deepEqual(await statementsOf(take), ['exchange', 'exchange'])
    const third = limiterOn(opened.storage)
    const peek = async () => assert.equal((await third.peek('resend', 'shared', TEN, START)).remaining, 8)
    assert.deepEqual(await statementsOf(peek), ['find'])
  })

  test('keeps the most recently used logs', async () => {
    const limiter = createStoredRateLimiter(opened.storage.system.limitLogs, { mostSeen: 2 })
    const take = (subject: string) => () => limiter.take('resend', `remembered ${subject}`, TEN, START)
    for (const subject of ['a', 'b', 'a', 'c']) await take(subject)()
    assert.deepEqual(await statementsOf(take('a')), ['exchange'])
    assert.deepEqual(await statementsOf(take('b')), ['exchange', 'exchange'])
  })

  test('batches concurrent takes of one subject: two statements for a thousand', async () => {
    const limiter = limiterOn(opened.storage)
    const flood = (admitted: number) => async () => {
      const takes = Array.from({ length: 1000 }, () => limiter.take('resend', 'flood', TEN, START))
      const verdicts = await Promise.all(takes)
      assert.equal(verdicts.filter((verdict) => verdict.admitted).length, admitted)
    }
    assert.deepEqual(await statementsOf(flood(10)), ['exchange', 'exchange'])
    assert.deepEqual(await statementsOf(flood(0)), ['find', 'find'])
  })

  test('fails at once with the database, and counts again when it recovers', async () => {
    const limiter = limiterOn(opened.storage)
    failing = true
    for (const ask of [limiter.take, limiter.peek, limiter.giveBack]) {
      await assert.rejects(async () => ask('resend', 'failing', TEN, START), isUnavailable)
    }
    failing = false
    assert.equal((await limiter.take('resend', 'failing', TEN, START)).remaining, 9)
  })

  test('sends no further statements two seconds after the first when every one conflicts', async (t) => {
    const [one, other] = [limiterOn(opened.storage), limiterOn(opened.storage)]
    await one.take('resend', 'contended', TEN, START)
    await opened.execute(`CREATE TRIGGER contend AFTER UPDATE ON limit_logs
      BEGIN UPDATE limit_logs SET revision = hex(randomblob(16)) WHERE id = new.id; END`)
    let ms = 0
    const clock = t.mock.method(performance, 'now', () => {
      ms += 100
      return ms
    })
    const take = () => assert.rejects(async () => other.take('resend', 'contended', TEN, START), isUnavailable)
    const sent = await statementsOf(take)
    clock.mock.restore()
    await opened.execute('DROP TRIGGER contend')
    assert.ok(sent.length >= 2 && sent.length <= 20, `${sent.length}`)
    assert.equal((await other.peek('resend', 'contended', TEN, START)).remaining, 9)
  })

  test('stores no names, and purges expired rows', async () => {
    const limiter = limiterOn(opened.storage)
    const rows = async () => (await opened.dump())['limit_logs'] ?? []
    await limiter.take('resend', 'jane@example.com', TEN, START)
    assert.doesNotMatch(JSON.stringify(await rows()), /jane|example/)
    while (await opened.storage.system.purge('limitLogs', START + HOUR, 2));
    assert.notEqual((await rows()).length, 0)
    while (await opened.storage.system.purge('limitLogs', START + HOUR + 600_001, 2));
    assert.deepEqual(await rows(), [])
    assert.equal((await limiter.take('resend', 'jane@example.com', TEN, START + HOUR)).remaining, 9)
  })

  test('keeps a row until its newest time expires', async () => {
    const limiter = limiterOn(opened.storage)
    const take = (now: number) => limiter.take('resend', 'twice', TEN, now)
    await take(START)
    await take(START + HOUR - 1)
    while (await opened.storage.system.purge('limitLogs', START + HOUR + 600_001, 2));
    assert.equal((await limiterOn(opened.storage).peek('resend', 'twice', TEN, START + HOUR)).remaining, 9)
  })
})
