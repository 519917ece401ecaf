import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../../test/support/databases/postgres-server.ts'
import type { Statement } from '../../statement.ts'
import type { StatementCall } from './commands.ts'
import type { PostgresConnection } from './connection.ts'
import { testPool, testStatement } from './connection-pool.testkit.ts'
import type { ConnectionPool } from './connection-pool.ts'

let server: PostgresServer
let pool: ConnectionPool

before(async () => {
  server = await startPostgres()
  pool = testPool(await server.createDatabase(), { size: 1 })
  await pool.use((connection) => connection.execute('CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY, at BIGINT)'))
})
after(async () => {
  await pool.close()
  await server.close()
})

const add = testStatement('pipeline.add', 'INSERT INTO notes (id, at) VALUES ($1, $2)', 2)
const list = testStatement('pipeline.list', 'SELECT id, at FROM notes ORDER BY id')
const listArrays = testStatement('pipeline.listArrays', 'SELECT id, at FROM notes ORDER BY id', 0, true)
const count = testStatement('pipeline.count', 'SELECT COUNT(*) AS notes FROM notes')
const call = (one: Statement, ...parameters: (string | number | null)[]): StatementCall => [one, parameters]

/** Runs work on an empty table. */
const withNotes = (work: (connection: PostgresConnection) => Promise<void>) =>
  pool.use(async (connection) => {
    await connection.execute('DELETE FROM notes')
    await work(connection)
  })

test('answers the statements of a pipeline in order, with rows as objects or arrays', () =>
  withNotes(async (connection) => {
    const calls = [call(add, 'a', 2 ** 52), call(add, 'b', null), call(list), call(listArrays), call(count)]
    for (const run of ['first', 'prepared']) {
      const [, first, , objects, arrays, counted] = await connection.send('BEGIN', ...calls, 'ROLLBACK')
      assert.deepEqual(first, { command: 'INSERT', rows: [], changes: 1 }, run)
      const rows = [
        { id: 'a', at: 2 ** 52 },
        { id: 'b', at: null },
      ]
      assert.deepEqual(objects, { command: 'SELECT', rows, changes: 2 }, run)
      assert.deepEqual(arrays!.rows, rows.map(Object.values), run)
      assert.deepEqual(counted!.rows, [{ notes: 2 }], run)
    }
  }))

test('without BEGIN the pipeline is one transaction: the first failure undoes the statements before it', () =>
  withNotes(async (connection) => {
    const { results, error } = await connection.trySend(call(add, 'a', 1), call(add, 'a', 2), call(add, 'b', 3))
    assert.deepEqual([results.length, (error as { code?: string }).code], [1, '23505'])
    assert.deepEqual((await connection.send(call(list)))[0]!.rows, [])
  }))

test('after a failure in a transaction the COMMIT is skipped, and a ROLLBACK makes the connection usable again', () =>
  withNotes(async (connection) => {
    const { results, error } = await connection.trySend('BEGIN', call(add, 'a', 1), call(add, 'a', 2), 'COMMIT')
    assert.deepEqual([results.length, (error as { code?: string }).code], [2, '23505'])
    await assert.rejects(connection.send(call(list)), { code: '25P02' })
    await connection.send('ROLLBACK')
    assert.deepEqual((await connection.send(call(list)))[0]!.rows, [])
  }))

test('a statement that was not prepared because an earlier one failed is prepared on its next use', () =>
  withNotes(async (connection) => {
    const skipped = testStatement('pipeline.skipped', 'SELECT 1 AS one')
    const invalid = testStatement('pipeline.invalid', 'SELECT nothing FROM notes')
    const together = [connection.trySend(call(invalid), call(skipped)), connection.trySend(call(count))]
    const [failed, other] = await Promise.all(together)
    assert.equal((failed!.error as { code?: string }).code, '42703')
    assert.deepEqual(other!.results[0]?.rows, [{ notes: 0 }])
    for (let run = 0; run < 2; run++) {
      assert.deepEqual(
        (await connection.send(call(skipped), call(count))).map(({ rows }) => rows),
        [[{ one: 1 }], [{ notes: 0 }]],
      )
    }
  }))

test('a NUL in a parameter matches nothing instead of failing', () =>
  withNotes(async (connection) => {
    const find = testStatement('pipeline.find', 'SELECT id FROM notes WHERE id = $1', 1)
    assert.deepEqual((await connection.send(call(find, 'a\0b')))[0]!.rows, [])
  }))

test('the session uses generic plans', async () => {
  const { rows } = await pool.use((connection) => connection.execute('SHOW plan_cache_mode'))
  assert.deepEqual(rows, [{ plan_cache_mode: 'force_generic_plan' }])
})
