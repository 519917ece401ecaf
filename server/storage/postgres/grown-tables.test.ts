import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import { registeredStatements } from '../statement.ts'
import { newTenant, t0, userOf } from '../suite/samples.testkit.ts'
import { testPool } from './driver/connection-pool.testkit.ts'
import { GrownTables } from './grown-tables.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'
import { nodesOf } from './query-plans.testkit.ts'

const role = 'no_owner'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
  await postgres.execute(
    `CREATE ROLE ${role} LOGIN PASSWORD 'password'; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
  )
})
after(async () => {
  await postgres.execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await postgres.close()
})

/** Makes tables as new ones are: without pages and statistics. */
beforeEach(async () => {
  await postgres.execute('TRUNCATE users, identities')
  // Otherwise it may come first.
  await postgres.execute('ALTER TABLE users SET (autovacuum_enabled = off)')
})

/** @param from the first of their ids */
const addUsers = (count: number, from = 0) =>
  postgres.execute(`INSERT INTO users (tenant_id, id, guest, restricted_capabilities, created_at, updated_at, last_active_at)
    SELECT 'T', 'user ' || n, 0, '[]', 1, 1, 1 FROM generate_series(${from + 1}, ${from + count}) AS n`)

const analyzed = async (): Promise<number> =>
  (await postgres.execute("SELECT reltuples::bigint AS rows FROM pg_class WHERE relname = 'users'"))[0]![
    'rows'
  ] as number

test('PostgreSQL finds a user by the id, although it planned the statement for an empty table', async () => {
  await using pool = testPool(postgres.url)
  const { sql } = registeredStatements().find(({ name }) => name === 'user.find')!
  const indexes = async () => {
    const [row] = await postgres.execute("EXPLAIN (FORMAT JSON) EXECUTE one('T', 'user 1')")
    return nodesOf((row!['QUERY PLAN'] as { Plan: Parameters<typeof nodesOf>[0] }[])[0]!.Plan).map(
      (node) => node['Index Name'],
    )
  }
  await postgres.execute(`SET plan_cache_mode = force_generic_plan; PREPARE one(text, text) AS ${sql}`)
  assert.ok(!(await indexes()).includes('users_pkey'))
  await addUsers(5_000)
  assert.ok(!(await indexes()).includes('users_pkey'))
  assert.deepEqual(await new GrownTables(pool).analyze(), ['users'])
  assert.ok((await indexes()).includes('users_pkey'))
  await postgres.execute('DEALLOCATE one')
})

test('analyzes a table again once it is twice as large', async () => {
  await using pool = testPool(postgres.url)
  const tables = new GrownTables(pool)
  await addUsers(100)
  assert.deepEqual(await tables.analyze(), [])
  await addUsers(4_900, 100)
  assert.deepEqual([await tables.analyze(), await analyzed()], [['users'], 5_000])
  await addUsers(4_000, 5_000)
  assert.deepEqual([await tables.analyze(), await analyzed()], [[], 5_000])
  await addUsers(2_000, 9_000)
  assert.deepEqual([await tables.analyze(), await analyzed()], [['users'], 11_000])
})

test('leaves large tables, and those of another owner, to autovacuum', async () => {
  await using pool = testPool(postgres.url)
  await addUsers(5_000)
  assert.deepEqual(await new GrownTables(pool, { smallest: 16, largest: 20 }).analyze(), [])
  const url = new URL(postgres.url)
  Object.assign(url, { username: role, password: 'password' })
  await using poolOfOther = testPool(url.href)
  assert.deepEqual(await new GrownTables(poolOfOther).analyze(), [])
  assert.equal(await analyzed(), -1)
})

test('a storage looks at its tables after a hundred transactions', async () => {
  const { storage, close } = await postgres.open()
  const { users } = await newTenant(storage)
  await addUsers(5_000)
  const write = (n: number) => users.add(userOf({ id: `new ${n}`, createdAt: t0 }), null)
  for (let n = 0; n < 90; n++) await write(n)
  assert.equal(await analyzed(), -1)
  for (let n = 90; n < 110; n++) await write(n)
  await until(async () => (await analyzed()) > 5_000)
  await close()
})
