import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import { WriteConflict } from '../storage.ts'
import type { PostgresConnection } from './driver/connection.ts'
import { nothing, testPool, testStatement } from './driver/connection-pool.testkit.ts'
import { ConnectionPool } from './driver/connection-pool.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let url: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

const executorOn = (pool: ConnectionPool) => new PostgresExecutor(pool, [], true)

test('runs a job again after a conflict or a lost connection, but not after a timeout, on a full disk or after its own error', async () => {
  await using pool = testPool(url, { size: 1 })
  await pool.use((connection) =>
    connection.execute(`CREATE SEQUENCE attempts;
      CREATE FUNCTION fail_once(code TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') = 1 THEN RAISE 'failed' USING ERRCODE = code; END IF; RETURN code; END $$`),
  )
  const failOnce = testStatement('retries.failOnce', 'SELECT fail_once($1) AS code', 1)
  async function outcomeOf(code: string): Promise<string> {
    await pool.use((connection) => connection.execute("SELECT setval('attempts', 1, false)"))
    return executorOn(pool)
      .effect(failOnce, code)
      .then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
  }
  // Conflicts, session and transaction timeouts, too many connections, a server that stops or starts.
  const retried = ['40001', '40P01', '26000', '25P03', '25P04', '57P05', '53300', '57P01', '57P02', '57P03', '08006']
  for (const code of retried) assert.equal(await outcomeOf(code), 'done', code)
  for (const code of ['55P03', '57014', '53100', '53200', '58030'])
    assert.equal(await outcomeOf(code), 'SERVICE_UNAVAILABLE', code)
  assert.equal(await outcomeOf('22012'), '22012')
})

test('runs a job again after a conflict, whichever of its parallel statements it waits for first', async () => {
  await using pool = testPool(url, { size: 1 })
  await pool.use((connection) =>
    connection.execute(`CREATE SEQUENCE parallel_attempts;
      CREATE FUNCTION conflict_once() RETURNS INTEGER LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('parallel_attempts') = 1 THEN RAISE 'failed' USING ERRCODE = '40P01'; END IF; RETURN 1; END $$`),
  )
  const conflictOnce = testStatement('retries.conflictOnce', 'SELECT conflict_once()')
  const select = testStatement('retries.select', 'SELECT 1')
  let attempts = 0
  await executorOn(pool).write(async (sql) => {
    attempts++
    const first = sql.row(conflictOnce)
    const second = sql.row(select)
    await Promise.allSettled([first, second])
    // The server refuses it because the transaction is aborted.
    await second
  })
  assert.equal(attempts, 2)
})

test('runs a job again whose connection was lost before its COMMIT was sent, as of a process that was suspended', async () => {
  await using pool = testPool(url)
  await pool.use((connection) => connection.execute('CREATE TABLE kept (id BIGINT)'))
  const keep = testStatement('retries.keep', 'INSERT INTO kept VALUES (1)')
  const use = pool.use.bind(pool)
  let connection: PostgresConnection | undefined
  pool.use = (work, ms) =>
    use((each) => {
      connection = each
      return work(each)
    }, ms)
  let attempts = 0
  await executorOn(pool).write(async (sql) => {
    await sql.run(keep)
    if (++attempts > 1) return
    await use((other) => other.execute(`SELECT pg_terminate_backend(${connection!.announcedProcessId})`))
    await until(() => connection!.broken)
  })
  assert.equal(attempts, 2)
  const { rows } = await pool.use((connection) => connection.execute('SELECT COUNT(*) AS count FROM kept'))
  assert.equal(Number(rows[0].count), 1)
})

test('gives up on a job that keeps failing when the acquire timeout is over: 503', async () => {
  const timeouts: number[] = []
  class RecordingPool extends ConnectionPool {
    override use<T>(work: (connection: PostgresConnection) => Promise<T>, acquireTimeoutMs: number): Promise<T> {
      timeouts.push(acquireTimeoutMs)
      return super.use(work, acquireTimeoutMs)
    }
  }
  const options = { hooks: {}, size: 1, maxWaiting: 10, acquireTimeoutMs: 1_000, responseTimeoutMs: 5_000 }
  const pool = new RecordingPool({ ...options, url: parsePostgresUrl(url) })
  await pool.use(
    (connection) =>
      connection.execute(`CREATE FUNCTION lose() RETURNS INTEGER LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'another came first' USING ERRCODE = '40001'; END $$`),
    5_000,
  )
  timeouts.length = 0
  const failing = executorOn(pool).effect(testStatement('retries.lose', 'SELECT lose()'))
  await assert.rejects(failing, { code: 'SERVICE_UNAVAILABLE' })
  await pool.close()
  assert.ok(timeouts.length > 1)
  assert.ok(timeouts.every((ms, index) => index === 0 || ms < timeouts[index - 1]!))
})

test('rejects with the WriteConflict when a job conflicts until the acquire timeout: 503', async () => {
  await using pool = testPool(url, { size: 1, acquireTimeoutMs: 20 })
  await pool.use(nothing, 5_000)
  const conflicting = executorOn(pool).write(async () => {
    throw new WriteConflict('another came first')
  })
  await assert.rejects(conflicting, { name: 'WriteConflict', code: 'SERVICE_UNAVAILABLE' })
})

test('a pause that takes longer than the acquire timeout, in a busy process, leads to no warning of Node', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  await using pool = testPool(url, { size: 1, acquireTimeoutMs: 200 })
  await pool.use(nothing, 5_000)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let held: Promise<void> | undefined
  const job = executorOn(pool).write(async () => {
    held = pool.use(() => released)
    setImmediate(() => {
      const begun = performance.now()
      while (performance.now() - begun < 300);
    })
    throw new WriteConflict('again')
  })
  await assert.rejects(job, { code: 'SERVICE_UNAVAILABLE' })
  release()
  await held
  assert.deepEqual(warnings, [])
})
