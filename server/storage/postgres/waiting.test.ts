import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../../test/support/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import type { Statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import type { PostgresConnection } from './driver/connection.ts'
import { ConnectionPool, type ConnectionPoolOptions, DatabaseBusy } from './driver/connection-pool.ts'
import { failureOf } from './driver/postgres-error.ts'
import { parsePostgresUrl } from './driver/postgres-url.ts'
import { PostgresExecutor } from './postgres-executor.ts'

let server: PostgresServer
let url: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

const defaults = { hooks: {}, size: 1, maxWaiting: 10, acquireTimeoutMs: 5_000, responseTimeoutMs: 5_000 }

/** A pool that is closed with the test. */
function poolOf(options: Partial<ConnectionPoolOptions> = {}): ConnectionPool & AsyncDisposable {
  const connections = new ConnectionPool({ ...defaults, url: parsePostgresUrl(url), ...options })
  return Object.assign(connections, { [Symbol.asyncDispose]: () => connections.close() })
}

/** Runs SQL on a connection of its own. */
async function execute(sql: string) {
  await using pool = poolOf()
  return await pool.use((connection) => connection.execute(sql))
}

const nothing = async (): Promise<void> => {}

/** Not registered, so that no lint takes it for one of the service's. */
const statement = (name: string, sql: string, parameters = 0): Statement<never> =>
  ({ name, sql, parameters, reach: 'system', returning: false, arrays: false }) as Statement<never>

/** What work that waits for so long is refused with, while the only connection is held. */
async function refusedWhileHeld(connections: ConnectionPool, acquireTimeoutMs: number): Promise<Error> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const held = connections.use(() => promise)
  const error = await connections.use(nothing, acquireTimeoutMs).catch((refusal: unknown) => refusal)
  resolve()
  await held
  return error as Error
}

test('who waits in vain is told what is wrong with the servers while something is, and no connection to them stays', async () => {
  const database = await server.createDatabase()
  const name = new URL(database).pathname.slice(1)
  const readOnly = (value: string) => execute(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
  await using connections = poolOf({ url: parsePostgresUrl(database) })
  await readOnly('on')
  await assert.rejects(connections.use(nothing, 300), ({ cause }: Error) => /takes no writes/.test(String(cause)))
  const open = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`
  await until(async () => (await execute(open)).rowCount === 0)
  await readOnly('off')
  await connections.use(nothing)
  assert.equal((await refusedWhileHeld(connections, 10)).cause, null)
})

test('where the server grants fewer connections than there may be, the others wait for those', async () => {
  const user = `tenantry_${process.pid}_limited`
  await execute(`CREATE ROLE ${user} LOGIN CONNECTION LIMIT 1 PASSWORD 'secret'`)
  const limited = Object.assign(new URL(url), { username: user, password: 'secret' })
  const connections = poolOf({ url: parsePostgresUrl(limited.href), size: 2 })
  await connections.use(nothing)
  const refused = await refusedWhileHeld(connections, 300)
  await connections.use(nothing)
  await connections.close()
  await execute(`DROP ROLE ${user}`)
  assert.ok(refused instanceof DatabaseBusy)
  assert.match(String(refused.cause), /too many connections for role/)
})

test('while one host may come back it is waited for, whatever is wrong with the others; so is a name without address', async () => {
  const { host } = new URL(url)
  const hosts = url.replace(host, `${host},127.0.0.1:1`)
  await using connections = poolOf({ url: parsePostgresUrl(`${hosts}_not`) })
  await assert.rejects(connections.use(nothing, 300), (error: Error) => {
    assert.ok(error instanceof DatabaseBusy)
    assert.match(String(error.cause), /"\w+_not" does not exist; 127\.0\.0\.1:1: connect ECONNREFUSED/)
    return true
  })
  for (const code of ['ENOTFOUND', 'EAI_AGAIN'])
    assert.equal(failureOf(Object.assign(new Error('getaddrinfo'), { code })), 'connection')
})

test('who waits for a connection that breaks is served by a new one', async () => {
  await using connections = poolOf()
  const waiting = await connections.use(async (connection) => {
    const next = connections.use(async () => 'served')
    connection.close()
    return { next }
  })
  assert.equal(await waiting.next, 'served')
})

test('work that met another’s, or a server on its way out, runs again; what took too long, or is wrong, does not', async () => {
  await execute(`CREATE SEQUENCE meetings; CREATE FUNCTION meet(code TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('meetings') = 1 THEN RAISE 'met' USING ERRCODE = code; END IF; RETURN code; END $$`)
  await using connections = poolOf()
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const meet = statement('waiting.meet', 'SELECT meet($1) AS met', 1)
  async function met(code: string): Promise<string> {
    await connections.use((connection) => connection.execute("SELECT setval('meetings', 1, false)"))
    return executor.effect(meet, code).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  }
  // Again: conflicts, time limits of sessions and transactions, too many connections, a server that stops or starts.
  const again = ['40001', '40P01', '26000', '25P03', '25P04', '57P05', '53300', '57P01', '57P02', '57P03', '08006']
  for (const code of again) assert.equal(await met(code), 'done', code)
  for (const code of ['55P03', '57014']) assert.equal(await met(code), 'SERVICE_UNAVAILABLE', code)
  assert.equal(await met('22012'), '22012')
})

test('work that loses again and again is given up when its patience is over: 503, or as the conflict it is', async () => {
  await execute(`CREATE FUNCTION lose() RETURNS INTEGER LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'another came first' USING ERRCODE = '40001'; END $$`)
  const patience: number[] = []
  class Noting extends ConnectionPool {
    override use<T>(work: (connection: PostgresConnection) => Promise<T>, acquireTimeoutMs: number): Promise<T> {
      patience.push(acquireTimeoutMs)
      return super.use(work, acquireTimeoutMs)
    }
  }
  const connections = new Noting({ ...defaults, url: parsePostgresUrl(url), acquireTimeoutMs: 1_000 })
  await connections.use(nothing, 5_000)
  patience.length = 0
  const executor = new PostgresExecutor(connections, [], (error) => assert.fail(String(error)))
  const failing = executor.effect(statement('waiting.lose', 'SELECT lose()'))
  await assert.rejects(failing, { code: 'SERVICE_UNAVAILABLE' })
  await connections.close()
  assert.ok(patience.length > 1)
  assert.ok(patience.every((ms, index) => index === 0 || ms < patience[index - 1]!))
  await using impatient = poolOf({ acquireTimeoutMs: 20 })
  await impatient.use(nothing, 5_000)
  const conflicting = new PostgresExecutor(impatient, [], (error) => assert.fail(String(error))).write(async () => {
    throw new WriteConflict('another came first')
  })
  await assert.rejects(conflicting, { name: 'WriteConflict' })
})

test('an answer that does not come is missed right after a migration too, and after a rest', async () => {
  // As one that is mute: a server that speaks would give a statement up by itself.
  const silence = 'SET statement_timeout = 0'
  const befores: ((connection: PostgresConnection) => Promise<unknown>)[] = [
    (connection) =>
      connection.withoutTimeouts(() => connection.execute('SELECT 1')).then(() => connection.execute(silence)),
    (connection) => connection.execute(silence).then(() => delay(600)),
  ]
  for (const before of befores) {
    await using connections = poolOf({ responseTimeoutMs: 500 })
    await connections.use(async (connection) => {
      await before(connection)
      await assert.rejects(connection.execute('SELECT pg_sleep(10)'), { code: 'ETIMEDOUT' })
    })
  }
})

test('answers that come one after the other are not missed, though all of them take longer than one may', async () => {
  await using connections = poolOf({ responseTimeoutMs: 1_000 })
  await connections.use((connection) => Promise.all([1, 2].map(() => connection.execute('SELECT pg_sleep(0.6)'))))
})
