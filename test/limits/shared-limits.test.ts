import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { createStoredRateLimiter } from '../../server/limits/stored-rate-limiter.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { openLimiter } from '../../server/startup/open-limiter.ts'
import { openTestStorage } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { noValkey, startValkey, type ValkeyServer } from '../support/databases/valkey-server.ts'
import { startServer } from '../support/faults/server-process.ts'
import { admittedOf, ask, freshClient, limitsText, quota, startNode, startValkeyNode } from '../support/limit-nodes.ts'
import { fullRunsOnly } from '../support/runner/sample-size.ts'
import { type TestService, testAdminKey } from '../support/service.ts'

const HOUR = 3_600_000

describe('limits shared through Valkey', { skip: noValkey }, () => {
  let valkey: ValkeyServer
  let services: TestService[]
  before(async () => {
    if (noValkey) return
    valkey = await startValkey()
    const nodes = [await startValkeyNode(valkey.address), await startValkeyNode(valkey.address)]
    services = nodes.map(({ service }) => service)
  })
  after(async () => {
    for (const service of services ?? []) await service.close()
    await valkey?.close()
  })

  test('admits exactly the quota of 100 requests at two services, and a third service shares the count (threat D15)', async () => {
    const client = freshClient()
    assert.equal(await admittedOf(services, client, 100), quota)
    const { service: third } = await startValkeyNode(valkey.address)
    await using _ = third
    assert.equal(await admittedOf([third], client, 20), 0)
    third.clock.advance(HOUR)
    assert.equal(await admittedOf([third], client, 20), quota)
  })

  test('stores keys without addresses that expire soon after their window', async () => {
    await ask(services[0]!, '192.0.2.77')
    const keys = await valkey.client.keys('tenantry:limit:*')
    assert.ok(keys.length > 0)
    assert.doesNotMatch(keys.join(), /192\.0\.2/)
    for (const key of keys) {
      const ms = await valkey.client.pttl(key)
      assert.ok(ms > HOUR && ms <= HOUR + 60_000, `${ms}`)
    }
  })

  test(
    'shares a quota between processes with one VALKEY_URL, which exit on SIGTERM (threat D15)',
    fullRunsOnly,
    async () => {
      const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'tenantry-limits-'))))
      const secrets = { adminKey: testAdminKey, masterKeys: generateMasterKeys(Date.now()) }
      const settings = {
        VALKEY_URL: `valkey://${valkey.address.host}:${valkey.address.port}/7`,
        TENANTRY_LIMITS: limitsText,
        TENANTRY_TRUSTED_PROXIES: '127.0.0.0/8',
      }
      const servers = await Promise.all(folders.map((folder) => startServer(folder, secrets, settings)))
      const client = freshClient()
      for (let i = 0; i < quota; i++) assert.equal(await ask(servers[i % 2]!, client), 401)
      for (const server of servers) assert.equal(await ask(server, client), 429)
      assert.deepEqual(await Promise.all(servers.map((server) => server.end('SIGTERM'))), [0, 0])
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
    },
  )
})

test('admits exactly the quota of 100 requests at two services on one database, also after a restart (threat D15)', async () => {
  const database = await openTestStorage()
  const masterKeys = generateMasterKeys(0)
  const start = async () => {
    const storage = await openSqliteStorage({ path: database.path })
    return startNode(createStoredRateLimiter(storage.system.limitLogs), { storage, masterKeys })
  }
  const rows = async () => (await database.dump())['limit_logs']?.length
  const services = [await start(), await start()]
  const client = freshClient()
  assert.equal(await admittedOf(services, client, 100), quota)
  for (const service of services) await service.close()

  const restarted = await start()
  assert.equal(await admittedOf([restarted], client, 10), 0)
  restarted.clock.advance(HOUR)
  assert.equal(await admittedOf([restarted], client, 20), quota)
  restarted.clock.advance(HOUR)
  await restarted.service.services.housekeeping.run()
  assert.equal(await rows(), 1)
  restarted.clock.advance(600_001)
  await restarted.service.services.housekeeping.run()
  assert.equal(await rows(), 0)
  await restarted.close()
  await database.close()
})

test('shares limits without Valkey between processes on PostgreSQL, but not on SQLite', async () => {
  const { storage, close } = await openTestStorage()
  const one = { quota: 1, windowSeconds: 60 }
  const place = { engine: 'postgres', url: '', postgresEngine: 'postgresql' } as const
  const postgres = { ...place, connections: 1, rowLevelSecurity: true, migrate: true } as const
  const sqlite = { engine: 'sqlite', path: '' } as const
  for (const [database, admitted] of [
    [postgres, [true, false]],
    [sqlite, [true, true]],
  ] as const) {
    const open = () => openLimiter({ valkey: null, database }, storage, pino({ level: 'silent' }))
    const verdicts = [await (await open()).take('x', 'a', one, 0), await (await open()).take('x', 'a', one, 0)]
    assert.deepEqual(
      verdicts.map((verdict) => verdict.admitted),
      admitted,
    )
  }
  await close()
})
