import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { askPostgres } from '../../../../test/support/databases/ask-postgres.ts'
import { type PostgresServer, startPostgres } from '../../../../test/support/databases/postgres-server.ts'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { until } from '../../../../test/support/until.ts'
import type { PostgresConnection } from './connection.ts'
import { nothing, occupy, serverProcessOf, type TestPoolOptions, testPool } from './connection-pool.testkit.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { failureOf } from './postgres-error.ts'

let server: PostgresServer
let url: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

const poolOf = (options: TestPoolOptions = {}): ConnectionPool & AsyncDisposable => testPool(url, options)

const busy = { code: 'SERVICE_UNAVAILABLE', details: { retryAfterSeconds: 1 } }

test('opens at most `size` connections, serves waiting jobs in order, and refuses one above `maxWaiting`', async () => {
  await using pool = poolOf({ maxWaiting: 3 })
  const occupied = [occupy(pool), occupy(pool)]
  const order: number[] = []
  const processes = new Set<number>()
  const waiting = [1, 2, 3].map((number) =>
    pool.use(async (connection) => {
      order.push(number)
      processes.add(await serverProcessOf(connection))
    }),
  )
  await assert.rejects(pool.use(nothing), busy)
  for (const { release } of occupied) release()
  await Promise.all([...waiting, ...occupied.map(({ released }) => released)])
  assert.deepEqual(order, [1, 2, 3])
  assert.ok(processes.size <= 2)
  assert.deepEqual({ ...pool.usage, idle: null }, { used: 0, idle: null, waiting: 0 })
})

test('refuses a job after the acquire timeout and removes it from the queue', async () => {
  await using pool = poolOf({ size: 1, acquireTimeoutMs: 1_000 })
  await pool.use(nothing)
  const occupied = occupy(pool)
  const startedAt = performance.now()
  await assert.rejects(pool.use(nothing), busy)
  assert.ok(performance.now() - startedAt >= 999)
  assert.equal(pool.usage.waiting, 0)
  occupied.release()
  await occupied.released
})

test('a process that stalls for the acquire timeout still uses the connection that became free meanwhile', async () => {
  await using pool = poolOf({ size: 1, acquireTimeoutMs: 300 })
  const pid = await pool.use(serverProcessOf)
  const first = pool.use((connection) => connection.execute('SELECT 1'))
  const second = pool.use(nothing)
  await new Promise<void>((turn) => setImmediate(turn))
  // These block this thread: until the server has answered, and for longer than the timeout.
  const answered = "SELECT FROM pg_stat_activity WHERE pid = $1 AND query = 'SELECT 1' AND state = 'idle'"
  while (askPostgres(server.url, answered, [pid])[0]!.length === 0) {}
  askPostgres(server.url, 'SELECT pg_sleep(0.4)', [])
  await Promise.all([first, second])
})

test('while no server is available, one connection attempt at a time serves all waiting jobs', async () => {
  let attempts = 0
  const closing = createServer((socket) => {
    attempts++
    socket.destroy()
  })
  const port = await listenOnLoopback(closing)
  const unavailable = url.replace(new URL(url).host, `127.0.0.1:${port}`)
  await using pool = testPool(unavailable, { size: 10, maxWaiting: 50, acquireTimeoutMs: 1_000 })
  await assert.rejects(pool.use(nothing), busy)
  attempts = 0
  const waiting = await Promise.allSettled(Array.from({ length: 50 }, () => pool.use(nothing)))
  assert.ok(waiting.every(({ status }) => status === 'rejected'))
  assert.ok(attempts >= 1 && attempts <= 12, `${attempts} attempts in 1 s`)
  closing.close()
})

test('open connections serve all waiting jobs while new ones are refused, as after a change of the password', async () => {
  await using owner = poolOf()
  const name = `pool_of_${process.pid}`
  await owner.use((connection) => connection.execute(`CREATE ROLE ${name} LOGIN PASSWORD 'first'`))
  const pool = testPool(url.replace('postgres:postgres@', `${name}:first@`), { size: 3 })
  try {
    const occupied = occupy(pool)
    await until(() => pool.usage.used === 1)
    await owner.use((connection) => connection.execute(`ALTER ROLE ${name} PASSWORD 'second'`))
    const waiting = Array.from({ length: 5 }, () => pool.use(async () => 'served'))
    await assert.rejects(testPool(url.replace('postgres:postgres@', `${name}:first@`)).use(nothing), { code: '28P01' })
    occupied.release()
    assert.deepEqual(
      await Promise.all(waiting),
      Array.from({ length: 5 }, () => 'served'),
    )
    await occupied.released
  } finally {
    await pool.close()
    await owner.use((connection) => connection.execute(`DROP ROLE ${name}`))
  }
})

test('a job that waits for a connection that breaks gets a new one', async () => {
  await using pool = poolOf({ size: 1 })
  const waiting = await pool.use(async (connection) => {
    const next = pool.use(async () => 'served')
    connection.close()
    return { next }
  })
  assert.equal(await waiting.next, 'served')
})

test('when one connection breaks, idle connections are closed too', async () => {
  await using pool = poolOf()
  const occupied = occupy(pool)
  const idle = await pool.use(serverProcessOf)
  await pool.use(async () => {
    occupied.release()
    await occupied.released
  })
  assert.equal(pool.usage.idle, 2)
  await pool.use((connection) => {
    connection.close()
    return Promise.resolve()
  })
  assert.equal(pool.usage.idle, 0)
  assert.notEqual(await pool.use(serverProcessOf), idle)
})

test('replaces the connection to a primary that refuses writes since it was demoted', async () => {
  await using pool = poolOf({ size: 1 })
  const before = await pool.use(async (connection) => {
    await connection.execute('SET default_transaction_read_only = on')
    await assert.rejects(connection.execute('CREATE TABLE t (id INTEGER)'), { code: '25006' })
    assert.ok(connection.broken)
    return serverProcessOf(connection)
  })
  assert.notEqual(await pool.use(serverProcessOf), before)
})

test('replaces a connection that the server ends, in use or idle', async () => {
  await using pool = poolOf()
  const end = (serverProcess: number) =>
    pool.use((other) => other.execute(`SELECT pg_terminate_backend(${serverProcess}, 5000)`))
  const inUse = await pool.use(async (connection) => {
    const own = await serverProcessOf(connection)
    const sleeping = connection.execute('SELECT pg_sleep(30)')
    sleeping.catch(() => {})
    await end(own)
    await assert.rejects(sleeping, (error) => failureOf(error) === 'connection')
    return own
  })
  const [idle, one] = await pool.use(async (connection) => [connection, await serverProcessOf(connection)] as const)
  assert.notEqual(one, inUse)
  await using another = poolOf()
  await another.use((other) => other.execute(`SELECT pg_terminate_backend(${one}, 5000)`))
  await until(() => idle.broken)
  assert.notEqual(await pool.use(serverProcessOf), one)
})

test('closing finishes waiting jobs, refuses new ones, and leaves no connection open', async () => {
  await using other = poolOf()
  const open = async () =>
    (await other.use((each) => each.execute("SELECT 1 FROM pg_stat_activity WHERE query = '/* closing */'"))).rowCount
  const pool = poolOf({ size: 1 })
  const mark = (connection: PostgresConnection) => connection.execute('/* closing */')
  const jobs = [1, 2, 3].map(() => pool.use(mark))
  const closed = pool.close()
  await assert.rejects(pool.use(mark), /closed/)
  await Promise.all([...jobs, closed])
  await until(async () => (await open()) === 0)
})

test('closing waits for a read that has just been accepted', async () => {
  const pool = poolOf()
  await pool.use(nothing)
  let isRead = false
  const read = pool.share(async (connection) => {
    await serverProcessOf(connection)
    isRead = true
  })
  await pool.close()
  assert.ok(isRead)
  await read
})
