import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import { occupy, testPool, testStatement } from './driver/connection-pool.testkit.ts'
import type { ConnectionPool } from './driver/connection-pool.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let pool: ConnectionPool
let executor: PostgresExecutor
const names: string[] = []

const executorOn = (pool: ConnectionPool) => new PostgresExecutor(pool, [], true)

before(async () => {
  server = await startPostgres()
  const hooks = { onStatement: (name: string) => void names.push(name) }
  pool = testPool(await server.createDatabase(), { hooks, size: 3, maxWaiting: 100 })
  executor = executorOn(pool)
  await pool.use((connection) => connection.execute('CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY)'))
})
after(async () => {
  await pool.close()
  await server.close()
})

const add = testStatement('reads.add', 'INSERT INTO notes (id) VALUES ($1)', 1)
const count = testStatement('reads.count', 'SELECT COUNT(*) AS notes FROM notes')
const invalid = testStatement('reads.invalid', 'SELECT nothing FROM notes')
const divide = testStatement('reads.divide', 'SELECT 10 / CAST($1 AS INTEGER) AS result', 1)
const transaction = testStatement(
  'reads.transaction',
  'SELECT CAST(pg_current_xact_id() AS TEXT) AS id, pg_backend_pid() AS pid',
)
const sleep = testStatement('reads.sleep', 'SELECT pg_sleep(0.05), CAST(pg_backend_pid() AS TEXT) AS pid')

/** Opens every connection of the pool, so that none of the jobs that follow waits for one to open. */
async function openAll(): Promise<void> {
  const occupied = [1, 2, 3].map(() => occupy(pool))
  await until(() => pool.usage.used === occupied.length)
  for (const { release } of occupied) release()
  await Promise.all(occupied.map(({ released }) => released))
}

test('up to 32 reads of one turn share a connection; writes do not', async () => {
  await openAll()
  const read = () => executor.read(async (sql) => (await sql.row<{ pid: string }>(sleep))!.pid)
  const processes = await Promise.all(Array.from({ length: 33 }, read))
  assert.deepEqual(new Set(processes.slice(0, 32)).size, 1)
  assert.notEqual(processes[32], processes[0])
  assert.equal(pool.usage.used, 0)
  const writes = Array.from({ length: 3 }, () => executor.effect<{ pid: string }>(sleep))
  assert.equal(new Set((await Promise.all(writes)).map(({ rows }) => rows[0]!.pid)).size, 3)
})

test('64 reads of one turn are eight transactions on two connections', async () => {
  await openAll()
  const read = () => executor.read(async (sql) => (await sql.row<{ id: string; pid: number }>(transaction))!)
  const rows = await Promise.all(Array.from({ length: 64 }, read))
  assert.deepEqual([new Set(rows.map(({ id }) => id)).size, new Set(rows.map(({ pid }) => pid)).size], [8, 2])
})

test('a read that fails does not fail the reads that share its pipeline', async () => {
  const calls = [[divide, 1], [divide, 0], [divide, 2], [invalid], [divide, 5], [divide, Number.NaN]] as const
  const reads = calls.map(([one, ...values]) =>
    executor.read(async (sql) => sql.row<{ result: number }>(one, ...values)),
  )
  const outcomes = (await Promise.allSettled(reads)).map((one) =>
    one.status === 'fulfilled' ? one.value?.result : (one.reason.code ?? one.reason.message),
  )
  const notFinite = 'reads.divide: $1 must be a string, a finite number or null; got NaN'
  assert.deepEqual(outcomes, [10, '22012', 5, '42703', 2, notFinite])
})

test('runs all reads of a pipeline again when the server ends its connection', async () => {
  await pool.use((connection) =>
    connection.execute(`CREATE SEQUENCE endings;
      CREATE FUNCTION end_once() RETURNS INTEGER LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('endings') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid(), 5000); END IF; RETURN 7; END $$`),
  )
  const endOnce = testStatement('reads.endOnce', 'SELECT end_once() AS result')
  const reads = [divide, divide, endOnce, divide].map((one, index) =>
    executor.read(
      async (sql) => (await sql.row<{ result: number }>(one, ...(one === endOnce ? [] : [index + 1])))?.result,
    ),
  )
  assert.deepEqual(await Promise.all(reads), [10, 5, 7, 2])
})

test('a read that came after a group of waiting readers does not time out with them', async () => {
  await using small = testPool(await server.createDatabase(), { size: 1 })
  const read = (acquireTimeoutMs: number) =>
    small.share(async (connection) => (await connection.execute('SELECT 1 AS one')).rows, acquireTimeoutMs)
  const late = await small.use(async () => {
    const early = [read(500), read(500)]
    // Readers join a group for a tenth of a second.
    await delay(200)
    const result = read(30_000)
    for (const one of early) await assert.rejects(one, { code: 'SERVICE_UNAVAILABLE' })
    return { result }
  })
  assert.deepEqual(await late.result, [{ one: 1 }])
})

test('retries a statement that was not prepared because an earlier one waited too long for a lock', async () => {
  await using locking = testPool(await server.createDatabase(), { responseTimeoutMs: 500 })
  const reader = executorOn(locking)
  await locking.use(async (other) => {
    await other.execute('CREATE TABLE notes (id TEXT)')
    await other.execute('BEGIN; LOCK TABLE notes')
    const [first, ...behind] = [1, 2, 3].map(() => reader.read(async (sql) => sql.row(count)))
    await assert.rejects(first!, { code: 'SERVICE_UNAVAILABLE' })
    await other.execute('COMMIT')
    assert.deepEqual(await Promise.all(behind), [{ notes: 0 }, { notes: 0 }])
  })
})

test('prepares a statement again after another process has changed its columns', async () => {
  const select = testStatement('reads.changing', 'SELECT at FROM changing')
  const execute = (sql: string) => pool.use((connection) => connection.execute(sql))
  await execute('CREATE TABLE changing (at BIGINT); INSERT INTO changing VALUES (1)')
  const read = () => executor.read(async (sql) => sql.row(select))
  const write = () => executor.write(async (sql) => sql.row(select))
  assert.deepEqual([await read(), await write()], [{ at: 1 }, { at: 1 }])
  for (const [type, at] of [
    ['TEXT', '1'],
    ['BIGINT USING at::bigint', 1],
  ] as const) {
    await execute(`ALTER TABLE changing ALTER COLUMN at TYPE ${type}`)
    assert.deepEqual(await (at === '1' ? read() : write()), { at })
  }
})

test('refuses a statement that writes in a read before anything is sent', async () => {
  const returning = { ...add, returning: true }
  names.length = 0
  for (const read of [
    executor.read(async (sql) => sql.row(returning, 'a')),
    executor.read(async (sql) => sql.run(add, 'a')),
  ]) {
    await assert.rejects(read, /reads\.add writes, but a read accepts read-only statements only/)
  }
  assert.deepEqual(names, [])
})
