import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { registeredStatements } from '../statement.ts'
import { probes } from '../suite/isolation.testkit.ts'
import { claim, newTenant, noticeOf, t0 } from '../suite/samples.testkit.ts'
import { storageSuite } from '../suite/storage-suite.testkit.ts'
import { eachUnbound } from '../suite/tenant-bindings.testkit.ts'
import { seedTwoTenants } from '../suite/two-tenants.testkit.ts'
import { PostgresConnection } from './driver/connection.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { requireNoOrphanHeads } from './orphan-heads.testkit.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { type PostgresEngine, type PostgresEngineName, postgresDialect, postgresEngines } from './postgres-engines.ts'
import { openPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'

/** The engine with the fewest capabilities, except for CREATE INDEX ASYNC, which PostgreSQL does not know. */
const auroraDsql = postgresEngines['aurora-dsql']
const engine: PostgresEngine = {
  ...auroraDsql,
  dialect: { ...auroraDsql.dialect, createIndex: postgresDialect.createIndex },
}

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres(), engine)
  await isolate('repeatable read')
})
after(() => postgres.close())

/** Sets the isolation level of new connections. */
async function isolate(level: 'read committed' | 'repeatable read'): Promise<void> {
  const database = new URL(postgres.url).pathname.slice(1)
  await postgres.execute(`ALTER DATABASE ${database} SET default_transaction_isolation = '${level}'`)
}

const sent = new Set<string>()
const onStatement = (name: string) => void sent.add(name)
const open = (options: Partial<PostgresStorageOptions> = {}) => postgres.open({ hooks: { onStatement }, ...options })

storageSuite('PostgreSQL with the capabilities of Aurora DSQL, REPEATABLE READ', () =>
  postgres.openShared({ hooks: { onStatement } }),
)

test('no statement of the suite locks rows, writes in WITH, or switches roles', () => {
  const beyond = /\b(WITH|FOR UPDATE|SKIP LOCKED|set_config)\b/
  const names = registeredStatements().filter(({ name, sql }) => sent.has(name) && beyond.test(sql))
  assert.deepEqual(names, [])
  for (const name of ['postgres.outbox.due', 'postgres.outbox.take', 'otp.add', 'otp.resend']) assert.ok(sent.has(name))
})

test('the statement that claims a message needs each of its predicates to keep tenants apart', async () => {
  const mutants = [...eachUnbound(registeredStatements().filter(({ name }) => name === 'postgres.outbox.take'))]
  assert.equal(mutants.length, 2)
  for (const { name, binding, sql } of mutants) {
    const rewrite = (statement: string, original: string) => (statement === name ? sql : original)
    const opened = await open({ hooks: { rewrite } })
    await seedTwoTenants(opened.storage)
    const probing = async () => {
      for (const probe of probes['a call on an id that two tenants have reaches the caller’s own row']!)
        await probe(opened)
    }
    await assert.rejects(probing, binding)
    await opened.close()
  }
})

for (const level of ['read committed', 'repeatable read'] as const) {
  test(`leaves no head of a log whose events are erased between read and sealing, ${level}`, async () => {
    await isolate(level)
    await requireNoOrphanHeads(postgres)
  })
}

for (const level of ['read committed', 'repeatable read'] as const) {
  test(`skips a message that another process claims between read and claim, ${level}`, async () => {
    await isolate(level)
    const { storage, close } = await open()
    const { messages } = await newTenant(storage)
    for (const id of ['taken', 'left']) await messages.notify(noticeOf({ id }))
    await postgres.execute(`BEGIN; UPDATE outbox SET due_at = ${t0 + 50}, lease_owner = 'other' WHERE id = 'taken'`)
    const claimed = claim(storage.system.outbox, 'me', t0, t0 + 10, 10)
    await postgres.untilBlocked(1)
    await postgres.execute('COMMIT')
    assert.deepEqual(
      (await claimed).map(({ id }) => id),
      ['left'],
    )
    await close()
  })

  test(`four processes that claim 400 messages concurrently claim each once, ${level}`, async () => {
    await isolate(level)
    const { storage, close } = await open()
    const { messages } = await newTenant(storage)
    await Promise.all(Array.from({ length: 400 }, () => messages.notify(noticeOf())))
    const timeouts = { acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 }
    const others = [1, 2, 3].map(() => openPostgresStorage({ url: postgres.url, engine, migrate: false, ...timeouts }))
    const processes = [storage, ...(await Promise.all(others))]
    const claimed = processes.map(async ({ system: { outbox } }, owner) => {
      const ids: string[] = []
      for (;;) {
        const more = await claim(outbox, `${owner}`, t0, t0 + 10, 20)
        if (more.length === 0) return ids
        ids.push(...more.map(({ id }) => id))
      }
    })
    const ids = (await Promise.all(claimed)).flat()
    assert.deepEqual([ids.length, new Set(ids).size], [400, 400])
    for (const each of processes.slice(1)) await each.close()
    await close()
  })
}

test('sets session timeouts and generic plans where the engine supports them', async () => {
  const database = new URL(postgres.url).pathname.slice(1)
  await postgres.execute(`ALTER DATABASE ${database} SET statement_timeout = '7s'`)
  await postgres.execute(`ALTER DATABASE ${database} SET lock_timeout = '50ms'`)
  const url = parsePostgresUrl(postgres.url)
  const expected: Record<PostgresEngineName, readonly [string, string, string, string]> = {
    postgresql: ['800ms', '10s', '0', 'force_generic_plan'],
    citus: ['800ms', '10s', '0', 'auto'],
    cockroachdb: ['800ms', '10s', '0', 'auto'],
    yugabytedb: ['800ms', '10s', '0', 'auto'],
    'aurora-dsql': ['7s', '0', '50ms', 'auto'],
  }
  const settings = ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'plan_cache_mode']
  for (const [name, expectedOfIt] of Object.entries(expected)) {
    const options = { url, engine: postgresEngines[name as PostgresEngineName], hooks: {}, responseTimeoutMs: 1_000 }
    const connection = await PostgresConnection.open(url.hosts[0]!, options)
    const show = async (setting: string) => Object.values((await connection.execute(`SHOW ${setting}`)).rows[0])
    assert.deepEqual((await Promise.all(settings.map(show))).flat(), expectedOfIt, name)
    await connection.withoutTimeouts(async () => {
      assert.deepEqual(await show('statement_timeout'), [name === 'aurora-dsql' ? '7s' : '0'])
    })
    assert.deepEqual(await show('statement_timeout'), [expectedOfIt[0]])
    connection.close()
  }
})

test('waits until commits are durable, whatever the server, the database or the role has set', async () => {
  const database = new URL(postgres.url).pathname.slice(1)
  const url = parsePostgresUrl(postgres.url)
  const used: string[] = []
  for (const setting of ['off', 'local', 'remote_apply']) {
    await postgres.execute(`ALTER DATABASE ${database} SET synchronous_commit = ${setting}`)
    const connection = await PostgresConnection.open(url.hosts[0]!, { url, hooks: {}, responseTimeoutMs: 1_000 })
    used.push((await connection.execute('SHOW synchronous_commit')).rows[0].synchronous_commit)
    connection.close()
  }
  await postgres.execute(`ALTER DATABASE ${database} RESET synchronous_commit`)
  assert.deepEqual(used, ['on', 'local', 'remote_apply'])
})
