import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../../test/support/postgres-server.ts'
import type { Statement } from '../statement.ts'
import type { StatementCall } from './driver/commands.ts'
import type { PostgresConnection } from './driver/connection.ts'
import { ConnectionPool } from './driver/connection-pool.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let connections: ConnectionPool
const names: string[] = []

before(async () => {
  server = await startPostgres()
  const url = parsePostgresUrl(await server.createDatabase())
  const hooks = { onStatement: (name: string) => void names.push(name) }
  connections = new ConnectionPool({
    url,
    hooks,
    size: 3,
    maxWaiting: 100,
    acquireTimeoutMs: 1_000,
    responseTimeoutMs: 5_000,
  })
  await connections.use((connection) =>
    connection.execute('CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY, at BIGINT)'),
  )
})
after(async () => {
  await connections.close()
  await server.close()
})

/** Not registered, so that no lint takes it for one of the service's. */
const statement = (name: string, sql: string, parameters = 0, arrays = false): Statement<never> =>
  ({ name, sql, parameters, reach: 'system', returning: false, arrays }) as Statement<never>

const add = statement('trip.add', 'INSERT INTO notes (id, at) VALUES ($1, $2)', 2)
const list = statement('trip.list', 'SELECT id, at FROM notes ORDER BY id')
const listArrays = statement('trip.listArrays', 'SELECT id, at FROM notes ORDER BY id', 0, true)
const count = statement('trip.count', 'SELECT COUNT(*) AS notes FROM notes')
const sleep = statement('trip.sleep', 'SELECT pg_sleep(0.05), CAST(pg_backend_pid() AS TEXT) AS pid')
const call = (one: Statement, ...parameters: (string | number | null)[]): StatementCall => [one, parameters]

/** Runs work on an empty table. */
const withNotes = (work: (connection: PostgresConnection) => Promise<void>) =>
  connections.use(async (connection) => {
    await connection.execute('DELETE FROM notes')
    await work(connection)
  })

test('statements that travel together are answered in their order, rows as objects or as arrays', () =>
  withNotes(async (connection) => {
    const calls = [call(add, 'a', 2 ** 52), call(add, 'b', null), call(list), call(listArrays), call(count)]
    for (const repeated of ['first', 'prepared']) {
      const [first, , objects, arrays, counted] = await connection
        .send('BEGIN', ...calls, 'ROLLBACK')
        .then((all) => all.slice(1))
      assert.deepEqual(first, { command: 'INSERT', rows: [], changes: 1 }, repeated)
      const rows = [
        { id: 'a', at: 2 ** 52 },
        { id: 'b', at: null },
      ]
      assert.deepEqual(objects, { command: 'SELECT', rows, changes: 2 }, repeated)
      assert.deepEqual(
        arrays!.rows,
        [
          ['a', 2 ** 52],
          ['b', null],
        ],
        repeated,
      )
      assert.deepEqual(counted!.rows, [{ notes: 2 }], repeated)
    }
  }))

test('outside BEGIN and COMMIT they are a transaction by themselves: the first that fails undoes those before it', () =>
  withNotes(async (connection) => {
    const { answers, error } = await connection.attempt(call(add, 'a', 1), call(add, 'a', 2), call(add, 'b', 3))
    assert.deepEqual([answers.length, (error as { code?: string }).code], [1, '23505'])
    assert.deepEqual((await connection.send(call(list)))[0]!.rows, [])
  }))

test('in a transaction a failure leaves all undone, the COMMIT too, and the ROLLBACK makes the connection good again', () =>
  withNotes(async (connection) => {
    const { answers, error } = await connection.attempt('BEGIN', call(add, 'a', 1), call(add, 'a', 2), 'COMMIT')
    assert.deepEqual([answers.length, (error as { code?: string }).code], [2, '23505'])
    await assert.rejects(connection.send(call(list)), { code: '25P02' })
    await connection.send('ROLLBACK')
    assert.deepEqual((await connection.send(call(list)))[0]!.rows, [])
  }))

test('what was not prepared because of a failure before it is prepared when it is used again', () =>
  withNotes(async (connection) => {
    const never = statement('trip.never', 'SELECT 1 AS one')
    const wrong = statement('trip.wrong', 'SELECT nothing FROM notes')
    const together = [connection.attempt(call(wrong), call(never)), connection.attempt(call(count))]
    const [failed, other] = await Promise.all(together)
    assert.equal((failed!.error as { code?: string }).code, '42703')
    assert.deepEqual(other!.answers[0]?.rows, [{ notes: 0 }])
    for (let again = 0; again < 2; again++) {
      assert.deepEqual(
        (await connection.send(call(never), call(count))).map(({ rows }) => rows),
        [[{ one: 1 }], [{ notes: 0 }]],
      )
    }
  }))

test('a statement that another has failed to prepare is sent again, not refused: a table that was locked', async () => {
  const url = parsePostgresUrl(await server.createDatabase())
  const options = { url, hooks: {}, size: 2, maxWaiting: 10, acquireTimeoutMs: 5_000, responseTimeoutMs: 500 }
  await using pool = Object.assign(new ConnectionPool(options), { [Symbol.asyncDispose]: () => pool.close() })
  const executor = new PostgresExecutor(pool, [], (error) => assert.fail(String(error)))
  await pool.use(async (other) => {
    await other.execute('CREATE TABLE notes (id TEXT)')
    await other.execute('BEGIN; LOCK TABLE notes')
    const [first, ...behind] = [1, 2, 3].map(() => executor.read(async (sql) => sql.row(count)))
    await assert.rejects(first!, { code: 'SERVICE_UNAVAILABLE' })
    await other.execute('COMMIT')
    assert.deepEqual(await Promise.all(behind), [{ notes: 0 }, { notes: 0 }])
  })
})

test('a statement whose columns another process has changed is prepared again', async () => {
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const byType = statement('trip.type', 'SELECT at FROM changing')
  await connections.use((connection) =>
    connection.execute('CREATE TABLE changing (at BIGINT); INSERT INTO changing VALUES (1)'),
  )
  const read = () => executor.read(async (sql) => sql.row(byType))
  const write = () => executor.write(async (sql) => sql.row(byType))
  assert.deepEqual([await read(), await write()], [{ at: 1 }, { at: 1 }])
  for (const [type, at] of [
    ['TEXT', '1'],
    ['BIGINT USING at::bigint', 1],
  ] as const) {
    await connections.use((other) => other.execute(`ALTER TABLE changing ALTER COLUMN at TYPE ${type}`))
    assert.deepEqual(await (at === '1' ? read() : write()), { at })
  }
})

test('who comes to readers that wait for a connection does not give up with them', async () => {
  const url = parsePostgresUrl(await server.createDatabase())
  const options = { url, hooks: {}, size: 1, maxWaiting: 10, acquireTimeoutMs: 1_000, responseTimeoutMs: 5_000 }
  await using pool = Object.assign(new ConnectionPool(options), { [Symbol.asyncDispose]: () => pool.close() })
  const executor = new PostgresExecutor(pool, [], (error) => assert.fail(String(error)))
  const read = () => executor.read(async (sql) => sql.row(statement('trip.one', 'SELECT 1 AS one')))
  const early: Promise<unknown>[] = []
  const late = await pool.use(async () => {
    early.push(read(), read())
    await delay(300)
    const coming = read()
    for (const one of early) await assert.rejects(one, { code: 'SERVICE_UNAVAILABLE' })
    return { coming }
  })
  assert.deepEqual(await late.coming, { one: 1 })
})

test('reads of one turn share a connection, 32 at most; what writes does not', async () => {
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const pidOf = () => executor.read(async (sql) => (await sql.row<{ pid: string }>(sleep))!.pid)
  const read = await Promise.all(Array.from({ length: 33 }, pidOf))
  assert.deepEqual(new Set(read.slice(0, 32)).size, 1)
  assert.notEqual(read[32], read[0])
  assert.equal(connections.usage.used, 0)
  const written = Array.from({ length: 3 }, () => executor.effect<{ pid: string }>(sleep))
  assert.equal(new Set((await Promise.all(written)).map(({ rows }) => rows[0]!.pid)).size, 3)
})

test('a read that fails fails alone', async () => {
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const wrong = statement('trip.wrong', 'SELECT nothing FROM notes')
  const reads = [count, wrong, count].map((one) => executor.read(async (sql) => sql.row(one)))
  const [first, failed, last] = await Promise.allSettled(reads)
  assert.deepEqual([first!.status, failed!.status, last!.status], ['fulfilled', 'rejected', 'fulfilled'])
})

test('a read that writes, or is run for its changes, is refused before anything is sent', async () => {
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const returning = { ...add, returning: true }
  names.length = 0
  await assert.rejects(
    executor.read(async (sql) => sql.row(returning, 'a', 1)),
    /trip\.add writes/,
  )
  await assert.rejects(
    executor.read(async (sql) => sql.run(add, 'a', 1)),
    /trip\.add is run/,
  )
  assert.deepEqual(names, [])
})

test('a statement is planned once, whatever its parameters promise', async () => {
  const { rows } = await connections.use((connection) => connection.execute('SHOW plan_cache_mode'))
  assert.deepEqual(rows, [{ plan_cache_mode: 'force_generic_plan' }])
})
