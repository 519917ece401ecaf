import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { fullRunsOnly } from '../../../test/support/runner/sample-size.ts'
import { registeredStatements } from '../statement.ts'
import { probes } from '../suite/isolation.testkit.ts'
import type { Probe } from '../suite/isolation-calls.testkit.ts'
import { newTenant, tenantOf, userOf } from '../suite/samples.testkit.ts'
import { eachUnbound, withoutBindings } from '../suite/tenant-bindings.testkit.ts'
import { twoLogs } from '../suite/two-logs.testkit.ts'
import { seedTwoTenants } from '../suite/two-tenants.testkit.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { postgresEngines } from './postgres-engines.ts'
import type { PostgresStorageOptions } from './postgres-storage.ts'
import { enableRowLevelSecurity, tenantRole } from './row-level-security.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
})
after(() => postgres.close())

const all: readonly Probe[] = Object.values(probes).flat()

async function probe(options: Partial<PostgresStorageOptions>): Promise<void> {
  const opened = await postgres.open(options)
  try {
    await seedTwoTenants(opened.storage)
    await opened.execute(twoLogs)
    for (const each of all) await each(opened)
  } finally {
    await opened.close()
  }
}

/** Statements of one tenant that the owner runs: row-level security shows the owner all rows. */
const ofTheOwner =
  /^(erase|eventPurge|count\.(addActs|addTotals|startTotals|claim|replaceTotals)|eventQueue\.take|eventLog\.(add|addHead|addBatch|lockHead|advance))\b/

/** Removes the tenant predicates of a tenant's statement; system statements are unchanged. */
function unbound(name: string, sql: string): string {
  const known = registeredStatements().find((statement) => statement.name === name)
  return known?.reach === 'tenant' && !ofTheOwner.test(name) ? withoutBindings(sql) : sql
}

test('the database isolates tenants when no statement has a tenant predicate', async () => {
  const changed = registeredStatements().filter(({ name, sql }) => unbound(name, sql) !== sql)
  assert.ok(changed.length > 60, `${changed.length} statements`)
  await probe({ hooks: { rewrite: unbound } })
})

test('without row-level security these statements mix tenants up, so the test above can fail', async () => {
  await assert.rejects(probe({ rowLevelSecurity: false, hooks: { rewrite: unbound } }))
})

test('without row-level security each predicate of a PostgreSQL-only statement is needed', fullRunsOnly, async () => {
  const own = registeredStatements().filter(({ name, reach }) => reach === 'tenant' && name.startsWith('postgres.'))
  const mutants = [...eachUnbound(own)]
  assert.ok(mutants.length >= 1)
  const { postgresql } = postgresEngines
  const withoutSharedLocks = { ...postgresql, sharedRowLocks: false }
  for (const engine of [postgresql, withoutSharedLocks]) await probe({ rowLevelSecurity: false, engine })
  for (const { name, binding, sql } of mutants) {
    const rewrite = (statement: string, original: string) => (statement === name ? sql : original)
    const engine = name === 'postgres.tenant.lockRevision' ? withoutSharedLocks : postgresql
    await assert.rejects(probe({ rowLevelSecurity: false, engine, hooks: { rewrite } }), `${name}: ${binding}`)
  }
})

test('the tenant role reads and writes only one tenant’s rows, and none without a tenant (threat F06)', async () => {
  const { storage, close } = await postgres.open()
  const [own, other] = [tenantOf(), tenantOf()]
  for (const tenant of [own, other]) await (await newTenant(storage, tenant)).users.add(userOf(), null)
  const as = (tenantId: string | null, sql: string) => {
    const tenant = tenantId === null ? '' : `SET LOCAL tenantry.tenant_id = '${tenantId}'; `
    return postgres
      .execute(`BEGIN; SET LOCAL ROLE ${tenantRole}; ${tenant}${sql}`)
      .finally(() => postgres.execute('ROLLBACK'))
  }
  const tables = await postgres.execute(
    "SELECT DISTINCT table_name FROM information_schema.columns WHERE column_name = 'tenant_id' AND table_schema = 'public'",
  )
  assert.ok(tables.length >= 11)
  const filled = ['users', 'profile_schemas', 'tenant_totals']
  for (const { table_name: table } of tables) {
    assert.equal((await as(null, `SELECT * FROM ${table}`)).length, 0)
    assert.equal((await as('unknown', `SELECT * FROM ${table}`)).length, 0)
    assert.equal(
      (await as(own.id, `SELECT * FROM ${table}`)).length,
      filled.includes(String(table)) ? 1 : 0,
      String(table),
    )
  }
  assert.equal((await as(own.id, 'SELECT * FROM tenants')).length, 1)
  const insert = `INSERT INTO tenant_origins (tenant_id, origin) VALUES ('${other.id}', 'https://a.example')`
  await assert.rejects(as(own.id, insert), /row-level security/)
  await assert.rejects(as(own.id, `UPDATE users SET tenant_id = '${other.id}'`), /row-level security/)
  for (const table of ['signing_keys', 'schema_migrations', 'schema_lock', 'inbox_end']) {
    await assert.rejects(as(own.id, `SELECT * FROM ${table}`), /permission denied/)
  }
  await close()
})

test('tenants are served when the database makes statements fail that policies filter', async (t) => {
  const [{ name } = {}] = await postgres.execute('SELECT current_database() AS name')
  await postgres.execute(`ALTER DATABASE "${name}" SET row_security = off`)
  t.after(() => postgres.execute(`ALTER DATABASE "${name}" RESET row_security`))
  const { storage, close } = await postgres.open()
  const user = userOf()
  const { users } = await newTenant(storage)
  await users.add(user, null)
  assert.equal((await users.find(user.id))?.id, user.id)
  await close()
})

test('the tenant role changes the log of events only by erasing a person (threats F06, L06)', async () => {
  const { storage, close } = await postgres.open()
  const { id } = tenantOf()
  await newTenant(storage, { id })
  await postgres.execute(
    `INSERT INTO events (tenant_id, sequence, id, batch, at, type, actor_kind, subject_kind, outcome, public, personal, commitment)
     VALUES ('${id}', 1, 'E', 1, 1, 'user.created', 'system', 'user', 'done', '{}', '{}', '')`,
  )
  const as = (sql: string) =>
    postgres
      .execute(`BEGIN; SET LOCAL ROLE ${tenantRole}; SET LOCAL tenantry.tenant_id = '${id}'; ${sql}`)
      .finally(() => postgres.execute('ROLLBACK'))
  assert.equal((await as('UPDATE events SET personal = NULL RETURNING id')).length, 1)
  const refused = [
    'UPDATE events SET type = $$user.deleted$$',
    'DELETE FROM events',
    'INSERT INTO events SELECT * FROM events',
    ...['event_batches', 'event_heads'].flatMap((table) => [
      `DELETE FROM ${table}`,
      `UPDATE ${table} SET hash = ''`,
      `INSERT INTO ${table} SELECT * FROM ${table}`,
    ]),
    'DELETE FROM event_queue',
    "UPDATE event_queue SET public = ''",
    'SELECT * FROM checkpoint_keys',
    'SELECT * FROM operators',
  ]
  for (const sql of refused) await assert.rejects(as(sql), /permission denied/, sql)
  await close()
})

test('every table with tenants’ rows has forced row-level security', async () => {
  const unprotected = await postgres.execute(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN information_schema.columns k ON k.table_name = c.relname AND k.table_schema = 'public' AND k.column_name = 'tenant_id'
     WHERE n.nspname = 'public' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
  )
  assert.deepEqual(unprotected, [])
})

test('the tenant of a transaction does not leak to the next one on its connection (threat F07)', async () => {
  const { storage, close } = await postgres.open({ connections: 1 })
  const [a, b] = [await newTenant(storage), await newTenant(storage)]
  const user = userOf({ email: 'both@example.com' })
  await a.users.add(user, null)
  await assert.rejects(
    a.write(async (tx) => {
      await tx.users.find(user.id)
      throw new Error('aborted midway')
    }),
    /aborted midway/,
  )
  assert.equal(await b.users.find(user.id), null)
  assert.equal(await storage.system.tenants.count(), 2)
  assert.equal((await a.users.find(user.id))?.id, user.id)
  await close()
})

test('reads of several tenants on a shared connection each see only their own rows (threat F07)', async () => {
  const { storage, close } = await postgres.open({ connections: 1, hooks: { rewrite: unbound } })
  const user = userOf()
  const tenants = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const stores = await newTenant(storage)
      await stores.users.add({ ...user, email: `of-${index}@example.com` }, null)
      return stores
    }),
  )
  const reads = Array.from({ length: 24 }, (_, index) => tenants[index % 8]!.users.find(user.id))
  const emails = (await Promise.all(reads)).map((found) => found?.email)
  assert.deepEqual(
    emails,
    Array.from({ length: 24 }, (_, index) => `of-${index % 8}@example.com`),
  )
  await close()
})

test('reports a lost connection during role creation as such, not as a missing privilege', async () => {
  const lost = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })
  await assert.rejects(
    enableRowLevelSecurity(() => Promise.reject(lost)),
    lost,
  )
})
