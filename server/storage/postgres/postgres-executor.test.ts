import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../test/support/databases/postgres-server.ts'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import type { Sql } from '../database.ts'
import { testPool, testStatement } from './driver/connection-pool.testkit.ts'
import type { ConnectionPool } from './driver/connection-pool.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let url: string
let pool: ConnectionPool
let executor: PostgresExecutor

/** With a single connection, every job meets the state that the job before it left. */
function executorOn(database: string): [ConnectionPool, PostgresExecutor] {
  const pool = testPool(database, { size: 1 })
  return [pool, new PostgresExecutor(pool, [], true)]
}

const execute = (sql: string) => pool.use((connection) => connection.execute(sql))

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  ;[pool, executor] = executorOn(url)
  await execute('CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY)')
})
beforeEach(() => execute('DELETE FROM notes'))
after(async () => {
  await pool.close()
  await server.close()
})

const add = testStatement('executor.add', 'INSERT INTO notes (id) VALUES ($1)', 1)
const list = testStatement('executor.list', 'SELECT id FROM notes ORDER BY id')
const forget = (name: 'BEGIN' | 'COMMIT' | 'ROLLBACK') =>
  testStatement(`executor.forget${name}`, `DEALLOCATE "${name}"`)

const ids = (): Promise<string[]> =>
  executor.read(async (sql) => (await sql.rows<{ id: string }>(list)).map(({ id }) => id))

/** Prepares COMMIT and ROLLBACK on the connection, so that a test can deallocate one of them. */
async function prepareBoth(): Promise<void> {
  await executor.write((sql) => Promise.resolve(sql.rows(list)))
  const failing = executor.write(async (sql: Sql) => {
    await sql.rows(list)
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
}

test('after a failed ROLLBACK the next job does not run in the old transaction', async () => {
  await prepareBoth()
  const failing = executor.write(async (sql) => {
    await sql.run(add, 'never')
    await sql.run(forget('ROLLBACK'))
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await ids(), [])
  await executor.effect(add, 'next')
  assert.deepEqual(await ids(), ['next'])
})

test('rolls back and runs the job again when the server refuses a COMMIT before it starts', async () => {
  await prepareBoth()
  let runs = 0
  await executor.write(async (sql) => {
    await sql.run(add, 'once')
    if (++runs === 1) await sql.run(forget('COMMIT'))
  })
  assert.equal(runs, 2)
  assert.deepEqual(await ids(), ['once'])
})

test('runs no concurrent statement without a transaction when the server refuses a BEGIN', async () => {
  await prepareBoth()
  await executor.read(async (sql) => sql.rows(forget('BEGIN')))
  let runs = 0
  const failing = executor.write(async (sql) => {
    if (++runs > 1) throw new Error('no')
    await Promise.all(Array.from({ length: 20 }, (_, index) => sql.run(add, `of one tick ${index}`)))
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await ids(), [])
})

test('sends none of several concurrent calls when the first has invalid parameters', async () => {
  const failing = executor.write(async (sql) => {
    await Promise.all([sql.run(add, Number.NaN), sql.run(add, 'alone')])
  })
  await assert.rejects(failing, /executor\.add: \$1/)
  assert.deepEqual(await ids(), [])
})

test('rolls back when the last statements cannot be sent, so that the next job is not in their transaction', async () => {
  const onStatement = (name: string) => {
    if (name === add.name) throw new Error('not sent')
  }
  const failing = testPool(url, { size: 1, hooks: { onStatement } })
  const work = new PostgresExecutor(failing, [], true).write(async (sql) => {
    await sql.rows(list)
    await sql.append(add, 'never')
  })
  await assert.rejects(work, /^Error: not sent$/)
  // In one transaction, now() stands still.
  const now = () =>
    failing.use(async (connection) => (await connection.execute('SELECT now()::text AS now')).rows[0].now)
  assert.notEqual(await now(), await now())
  await failing.close()
})

test('a warning before the COMMIT does not make its outcome unknown', async () => {
  await execute(`CREATE FUNCTION warn() RETURNS INTEGER LANGUAGE plpgsql
    AS $$ BEGIN RAISE WARNING 'as of a collation of another version'; RETURN 1; END $$`)
  const warn = testStatement('executor.warn', 'SELECT warn() AS one')
  const writes = [() => executor.effect(add, 'a'), () => executor.write(async (sql) => sql.run(add, 'b'))]
  for (const write of writes) {
    assert.deepEqual(await executor.read(async (sql) => sql.row(warn)), { one: 1 })
    await write()
  }
  assert.deepEqual(await ids(), ['a', 'b'])
})

/** A proxy that changes the answer to each COMMIT, which begins at `start`. */
async function startChangingProxy(change: (chunk: Buffer, start: number) => Buffer) {
  const target = new URL(url)
  const proxy = createServer((client) => {
    const behind = connect(Number(target.port), target.hostname)
    client.pipe(behind)
    behind.on('data', (chunk: Buffer) => {
      // The type of a message comes first, then its length in four bytes.
      const start = chunk.indexOf('COMMIT\0') - 5
      client.write(start < 0 ? chunk : change(chunk, start))
    })
    for (const socket of [client, behind])
      socket.on('error', () => {}).on('close', () => [client, behind].map((s) => s.destroy()))
  })
  const port = await listenOnLoopback(proxy)
  const through = new URL(url)
  through.host = `127.0.0.1:${port}`
  return { url: through.href, [Symbol.dispose]: () => void proxy.close() }
}

test('an unreadable answer to a COMMIT is an unknown outcome, and its connection is closed', async () => {
  let corrupted = 0
  using proxy = await startChangingProxy((chunk, start) => {
    chunk[start] = ++corrupted
    return chunk
  })
  const [corruptedPool, corruptedExecutor] = executorOn(proxy.url)
  const unknown = { name: 'OutcomeUnknown' }
  await assert.rejects(corruptedExecutor.effect(add, 'a'), unknown)
  await assert.rejects(
    corruptedExecutor.write(async (sql) => sql.run(add, 'b')),
    unknown,
  )
  assert.deepEqual(corruptedPool.usage, { used: 0, idle: 0, waiting: 0 })
  assert.deepEqual([await ids(), corrupted], [['a', 'b'], 2])
  await corruptedPool.close()
})

/** A message that warns of the need to vacuum, as the server sends it in every transaction that writes. */
function warningOfVacuum(): Buffer {
  const fields = [
    'SWARNING',
    'C01000',
    'Mdatabase "a" must be vacuumed within 39985967 transactions',
    'RGetNewTransactionId',
  ]
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`)
  const head = Buffer.from('N....')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

test('a warning of the need to vacuum does not make the outcome of a COMMIT unknown', async () => {
  let warned = 0
  using proxy = await startChangingProxy((chunk, start) => {
    warned++
    return Buffer.concat([chunk.subarray(0, start), warningOfVacuum(), chunk.subarray(start)])
  })
  const [warnedPool, warnedExecutor] = executorOn(proxy.url)
  await warnedExecutor.effect(add, 'a')
  await warnedExecutor.write(async (sql) => sql.run(add, 'b'))
  assert.deepEqual([await ids(), warned], [['a', 'b'], 2])
  await warnedPool.close()
})

test('after a failed write of one statement the next job does not run in its transaction', async () => {
  const invalid = testStatement('executor.invalid', 'SELECT 1 / 0')
  for (let run = 0; run < 2; run++) await assert.rejects(executor.effect(invalid), { code: '22012' })
  assert.deepEqual(await ids(), [])
})

test('refuses a statement of failed work that comes after the work has ended', async () => {
  let late = (): Promise<unknown> => assert.fail('the work has not run')
  const failing = executor.write(async (sql) => {
    late = () => sql.run(add, 'late')
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  await assert.rejects(late(), /transaction has ended/)
  await executor.effect(add, 'next')
  assert.deepEqual(await ids(), ['next'])
})

test('rejects work whose statement failed without being awaited, and keeps nothing of it', async () => {
  await executor.effect(add, 'there')
  const failing = executor.write(async (sql) => {
    await sql.run(add, 'new')
    sql.run(add, 'there').catch(() => {})
  })
  await assert.rejects(failing, /The transaction ended with ROLLBACK/)
  assert.deepEqual(await ids(), ['there'])
})

test('runs a job again when the server shuts down before the COMMIT; during the COMMIT the outcome is unknown', async () => {
  await execute(`CREATE SEQUENCE turns;
    CREATE FUNCTION shut_down() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('turns') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid(), 5000); END IF; RETURN NEW; END $$`)
  const shutDown = (trigger: string) =>
    execute(`SELECT setval('turns', 1, false); DROP TRIGGER IF EXISTS shutting_down ON notes;
      CREATE ${trigger} ON notes ${trigger.startsWith('CONSTRAINT') ? 'DEFERRABLE INITIALLY DEFERRED' : ''}
      FOR EACH ROW EXECUTE FUNCTION shut_down()`)
  const writes = [(id: string) => executor.effect(add, id), (id: string) => executor.write((sql) => sql.run(add, id))]
  for (const [index, write] of writes.entries()) {
    await shutDown('TRIGGER shutting_down BEFORE INSERT')
    await write(`before ${index}`)
    await shutDown('CONSTRAINT TRIGGER shutting_down AFTER INSERT')
    await assert.rejects(write(`during ${index}`), { name: 'OutcomeUnknown' })
  }
  await execute('DROP TRIGGER shutting_down ON notes')
  assert.deepEqual(await ids(), ['before 0', 'before 1'])
})

test('reports an error of a commit callback, and runs the other callbacks', async (context) => {
  const { mock } = context.mock.method(process.stderr, 'write', () => true)
  const called: string[] = []
  await executor.write(async (sql) => {
    sql.onCommit(() => assert.fail('a broken callback'))
    sql.onCommit(() => called.push('the next one'))
    await sql.run(add, 'a')
  })
  assert.match(String(mock.calls.map(({ arguments: [text] }) => text)), /commit callback failed: .*a broken callback/)
  assert.deepEqual([called, await ids()], [['the next one'], ['a']])
})
