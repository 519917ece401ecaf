import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../../test/support/databases/postgres-server.ts'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { until } from '../../../../test/support/until.ts'
import { nothing, occupy, serverProcessOf, testPool } from './connection-pool.testkit.ts'
import { type ConnectionPool, DatabaseBusy } from './connection-pool.ts'
import { failureOf, NoServerAvailable } from './postgres-error.ts'

let server: PostgresServer
let url: string
let host: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  host = new URL(url).host
})
after(() => server.close())

const refusedPort = '127.0.0.1:1'

async function execute(sql: string) {
  await using pool = testPool(url)
  return await pool.use((connection) => connection.execute(sql))
}

const setReadOnly = (database: string, value: 'on' | 'off') =>
  execute(`ALTER DATABASE ${new URL(database).pathname.slice(1)} SET default_transaction_read_only = ${value}`)

/** The error of a job that times out while the only connection is in use. */
async function refusedWhileOccupied(pool: ConnectionPool, acquireTimeoutMs: number): Promise<Error> {
  const { release, released } = occupy(pool)
  const error = await pool.use(nothing, acquireTimeoutMs).catch((refusal: unknown) => refusal)
  release()
  await released
  return error as Error
}

/** The error of a job that times out once every server was tried, which takes longer on a busy machine. */
async function refusedWithReason(pool: ConnectionPool): Promise<{ readonly code: string; readonly cause: Error }> {
  for (let acquireTimeoutMs = 300; ; acquireTimeoutMs *= 2) {
    const error: unknown = await pool.use(nothing, acquireTimeoutMs).catch((refusal: unknown) => refusal)
    if (error instanceof Error && error.cause !== null) return error as Error & { code: string; cause: Error }
    assert.ok(acquireTimeoutMs < 20_000, String(error))
  }
}

test('skips a host that refuses connections and one that accepts them but never answers', async () => {
  const silent = createServer()
  const sockets: Socket[] = []
  silent.on('connection', (socket) => sockets.push(socket))
  const port = await listenOnLoopback(silent)
  await using pool = testPool(url.replace(host, `${refusedPort},127.0.0.1:${port},${host}`))
  const startedAt = performance.now()
  const first = await pool.use(serverProcessOf)
  assert.ok(performance.now() - startedAt >= 1_900)
  const occupied = occupy(pool)
  assert.notEqual(await pool.use(serverProcessOf), first, 'the second connection')
  assert.ok(performance.now() - startedAt < 4_500, 'tries the host that answered first')
  occupied.release()
  await occupied.released
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('does not use a read-only server; the timeout gives the reason for each host', async () => {
  const readOnly = await server.createDatabase()
  await setReadOnly(readOnly, 'on')
  await using pool = testPool(readOnly.replace(host, `${refusedPort},${host}`))
  const { code, cause } = await refusedWithReason(pool)
  assert.equal(code, 'SERVICE_UNAVAILABLE')
  assert.match(
    cause.message,
    /127\.0\.0\.1:1: connect ECONNREFUSED .*; 127\.0\.0\.1:\d+: default_transaction_read_only is on/,
  )
  assert.equal(failureOf(cause), 'connection')
})

test('a timeout carries the reason only while no server is available; no connection to a read-only server stays open', async () => {
  const database = await server.createDatabase()
  const name = new URL(database).pathname.slice(1)
  await using pool = testPool(database, { size: 1 })
  await setReadOnly(database, 'on')
  assert.match((await refusedWithReason(pool)).cause.message, /default_transaction_read_only is on/)
  const open = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`
  await until(async () => (await execute(open)).rowCount === 0)
  await setReadOnly(database, 'off')
  await pool.use(nothing)
  assert.equal((await refusedWhileOccupied(pool, 10)).cause, null)
})

test('fails at once for errors that waiting does not fix: a wrong password, a missing database', async () => {
  for (const [wrong, message] of [
    [
      url.replace(':postgres@', ':not-this@'),
      /^PostgreSQL refused the connection: 127\.0\.0\.1:\d+: password authentication failed/,
    ],
    [`${url}_not`, /^PostgreSQL refused the connection: .* does not exist/],
  ] as const) {
    await using pool = testPool(wrong)
    const startedAt = performance.now()
    await assert.rejects(pool.use(nothing), { name: 'NoServerAvailable', message })
    assert.ok(performance.now() - startedAt < 2_000)
  }
})

test('waits while one host may come back, whatever is wrong with the others', async () => {
  const hosts = url.replace(host, `${host},${refusedPort}`)
  await using pool = testPool(`${hosts}_not`)
  const error = await refusedWithReason(pool)
  assert.ok(error instanceof DatabaseBusy)
  assert.match(String(error.cause), /"\w+_not" does not exist; 127\.0\.0\.1:1: connect ECONNREFUSED/)
})

test('waits for a host name that does not resolve', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN'])
    assert.equal(failureOf(Object.assign(new Error('getaddrinfo'), { code })), 'connection')
})

test('when the server grants fewer connections than the pool size, jobs wait for those', async () => {
  const user = `tenantry_${process.pid}_limited`
  await execute(`CREATE ROLE ${user} LOGIN CONNECTION LIMIT 1 PASSWORD 'secret'`)
  const limited = Object.assign(new URL(url), { username: user, password: 'secret' })
  const pool = testPool(limited.href)
  await pool.use(nothing)
  const refused = await refusedWhileOccupied(pool, 300)
  await pool.use(nothing)
  await pool.close()
  await execute(`DROP ROLE ${user}`)
  assert.ok(refused instanceof DatabaseBusy)
  assert.match(String(refused.cause), /too many connections for role/)
})

test('says how to provide a missing password, also when the server asks for it by SCRAM', () => {
  for (const said of [
    'empty password returned by client',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
  ]) {
    const { message } = new NoServerAvailable([{ at: 'db:5432', error: new Error(said) }])
    assert.match(message, /: db:5432: the server requires a password; add it to the URL, or set PGPASSWORD or/)
  }
})
