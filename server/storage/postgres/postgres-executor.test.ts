import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../test/support/postgres-server.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import { ConnectionPool } from './driver/connection-pool.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let url: string
let connections: ConnectionPool
let executor: PostgresExecutor

/** One connection: whatever state the work before leaves it in, the next one meets. */
function poolOf(to: string): [ConnectionPool, PostgresExecutor] {
  const options = { hooks: {}, size: 1, maxWaiting: 10, acquireTimeoutMs: 5_000, responseTimeoutMs: 5_000 }
  const pool = new ConnectionPool({ ...options, url: parsePostgresUrl(to) })
  return [pool, new PostgresExecutor(pool, [], (error) => assert.fail(String(error)))]
}

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  ;[connections, executor] = poolOf(url)
  await connections.use((connection) => connection.execute('CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY)'))
})
beforeEach(() => connections.use((connection) => connection.execute('DELETE FROM notes')))
after(async () => {
  await connections.close()
  await server.close()
})

/** Not registered, so that no lint takes it for one of the service's. */
const statement = (name: string, sql: string, parameters = 0): Statement<never> =>
  ({ name, sql, parameters, reach: 'system', returning: false, arrays: false }) as Statement<never>

const add = statement('clean.add', 'INSERT INTO notes (id) VALUES ($1)', 1)
const list = statement('clean.list', 'SELECT id FROM notes ORDER BY id')
const forget = (name: 'COMMIT' | 'ROLLBACK') => statement(`clean.forget${name}`, `DEALLOCATE "${name}"`)

const ids = (): Promise<string[]> =>
  executor.read(async (sql) => (await sql.rows<{ id: string }>(list)).map(({ id }) => id))

/** Has the connection prepare both ends of a transaction, so that one of them can be lost. */
async function prepareBoth(): Promise<void> {
  await executor.write((sql) => Promise.resolve(sql.rows(list)))
  const failing = executor.write(async (sql: Sql) => {
    await sql.rows(list)
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
}

test('a ROLLBACK that fails leaves nobody inside the transaction', async () => {
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

test('a COMMIT that the server refuses before it begins is rolled back, and the work runs again', async () => {
  await prepareBoth()
  let runs = 0
  await executor.write(async (sql) => {
    await sql.run(add, 'once')
    if (++runs === 1) await sql.run(forget('COMMIT'))
  })
  assert.equal(runs, 2)
  assert.deepEqual(await ids(), ['once'])
})

test('of calls made together none goes out by itself when the first is refused before it is sent', async () => {
  const failing = executor.write(async (sql) => {
    await Promise.all([sql.run(add, Number.NaN), sql.run(add, 'alone')])
  })
  await assert.rejects(failing, /clean\.add: \$1/)
  assert.deepEqual(await ids(), [])
})

test('what the server warned of before says nothing of a COMMIT', async () => {
  await connections.use((connection) =>
    connection.execute(`CREATE FUNCTION warn() RETURNS INTEGER LANGUAGE plpgsql
      AS $$ BEGIN RAISE WARNING 'as of a collation of another version'; RETURN 1; END $$`),
  )
  const warn = statement('clean.warn', 'SELECT warn() AS one')
  const writes = [() => executor.effect(add, 'a'), () => executor.write(async (sql) => sql.run(add, 'b'))]
  for (const write of writes) {
    assert.deepEqual(await executor.read(async (sql) => sql.row(warn)), { one: 1 })
    await write()
  }
  assert.deepEqual(await ids(), ['a', 'b'])
})

test('an answer to the COMMIT that cannot be read is an unknown outcome, and the connection is not used again', async () => {
  let garbled = 0
  const target = new URL(url)
  const proxy = createServer((client) => {
    const behind = connect(Number(target.port), target.hostname)
    client.pipe(behind)
    behind.on('data', (chunk) => {
      const at = chunk.indexOf('COMMIT\0')
      // The type of the message, which its length stands behind.
      if (at >= 5) chunk[at - 5] = ++garbled
      client.write(chunk)
    })
    for (const socket of [client, behind])
      socket.on('error', () => {}).on('close', () => [client, behind].map((s) => s.destroy()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  target.hostname = '127.0.0.1'
  const through = new URL(url)
  through.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  const [pool, garbling] = poolOf(through.href)
  await assert.rejects(garbling.effect(add, 'a'), { name: 'OutcomeUnknown' })
  await assert.rejects(
    garbling.write(async (sql) => sql.run(add, 'b')),
    { name: 'OutcomeUnknown' },
  )
  assert.deepEqual(pool.usage, { used: 0, idle: 0, waiting: 0 })
  assert.deepEqual([await ids(), garbled], [['a', 'b'], 2])
  await pool.close()
  proxy.close()
})

test('a write of one statement that fails leaves nobody inside its transaction', async () => {
  const wrong = statement('clean.wrong', 'SELECT 1 / 0')
  for (let again = 0; again < 2; again++) await assert.rejects(executor.effect(wrong), { code: '22012' })
  assert.deepEqual(await ids(), [])
})

test('what failed work has left behind is refused: it does not go out on the next one’s connection', async () => {
  let late = (): Promise<unknown> => assert.fail('the work has not run')
  const failing = executor.write(async (sql) => {
    late = () => sql.run(add, 'late')
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  await assert.rejects(late(), /over/)
  await executor.effect(add, 'next')
  assert.deepEqual(await ids(), ['next'])
})

test('a statement that fails while nobody waits for it undoes the work, which is not told as done', async () => {
  await executor.effect(add, 'there')
  const failing = executor.write(async (sql) => {
    await sql.run(add, 'new')
    sql.run(add, 'there').catch(() => {})
  })
  await assert.rejects(failing, /The transaction ended with ROLLBACK/)
  assert.deepEqual(await ids(), ['there'])
})

test('a server that goes away before the COMMIT has done nothing, and the work runs again; while committing, it is unknown', async () => {
  await connections.use((connection) =>
    connection.execute(`CREATE SEQUENCE turns;
      CREATE FUNCTION leave() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('turns') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid(), 5000); END IF; RETURN NEW; END $$`),
  )
  const writes = [(id: string) => executor.effect(add, id), (id: string) => executor.write((sql) => sql.run(add, id))]
  for (const [index, write] of writes.entries()) {
    const leaving = (when: string) =>
      connections.use((connection) =>
        connection.execute(`SELECT setval('turns', 1, false); DROP TRIGGER IF EXISTS leaving ON notes;
          CREATE ${when} ON notes ${when.startsWith('CONSTRAINT') ? 'DEFERRABLE INITIALLY DEFERRED' : ''}
          FOR EACH ROW EXECUTE FUNCTION leave()`),
      )
    await leaving('TRIGGER leaving BEFORE INSERT')
    await write(`before ${index}`)
    await leaving('CONSTRAINT TRIGGER leaving AFTER INSERT')
    await assert.rejects(write(`while ${index}`), { name: 'OutcomeUnknown' })
  }
  await connections.use((connection) => connection.execute('DROP TRIGGER leaving ON notes'))
  assert.deepEqual(await ids(), ['before 0', 'before 1'])
})

test('a callback that throws after the commit is reported, and nobody’s write is the worse for it', async () => {
  const reported: unknown[] = []
  const reporting = new PostgresExecutor(connections, [], (error) => reported.push(error))
  const called: string[] = []
  await reporting.write(async (sql) => {
    sql.onCommit(() => assert.fail('a broken callback'))
    sql.onCommit(() => called.push('the next one'))
    await sql.run(add, 'a')
  })
  assert.match(String(reported), /a broken callback/)
  assert.deepEqual([called, await ids()], [['the next one'], ['a']])
})
