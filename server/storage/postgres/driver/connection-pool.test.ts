import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../../test/support/postgres-server.ts'
import { until } from '../../../../test/support/until.ts'
import type { PostgresConnection } from './connection.ts'
import { ConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts'
import { failureOf } from './postgres-error.ts'
import { parsePostgresUrl } from './postgres-url.ts'

let server: PostgresServer
let url: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

type Options = Partial<Omit<ConnectionPoolOptions, 'url'>> & { readonly url?: string }

/** A pool that is closed with the test; small, and quick to give up. */
function pool(options: Options = {}): ConnectionPool & AsyncDisposable {
  const defaults = { hooks: {}, size: 2, maxWaiting: 3, acquireTimeoutMs: 5_000, responseTimeoutMs: 5_000 }
  const connections = new ConnectionPool({ ...defaults, ...options, url: parsePostgresUrl(options.url ?? url) })
  return Object.assign(connections, { [Symbol.asyncDispose]: () => connections.close() })
}

const pid = async (connection: PostgresConnection): Promise<number> =>
  (await connection.execute('SELECT pg_backend_pid() AS pid')).rows[0].pid

/** A piece of work that holds its connection until it is let go. */
function hold(connections: ConnectionPool) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { letGo: resolve, done: connections.use(() => promise) }
}

/** As the message of an error that is expected from the pool. */
const busy = { name: 'Error', code: 'SERVICE_UNAVAILABLE' }

test('no more connections than there may be: the others wait in their order, and one too many is refused at once', async () => {
  await using connections = pool()
  const held = [hold(connections), hold(connections)]
  const order: number[] = []
  const pids = new Set<number>()
  const waiting = [1, 2, 3].map((number) =>
    connections.use(async (connection) => {
      order.push(number)
      pids.add(await pid(connection))
    }),
  )
  const refused = connections.use(async () => {})
  await assert.rejects(refused, (error: { code: string; details: unknown }) => {
    assert.equal(error.code, busy.code)
    assert.deepEqual(error.details, { retryAfterSeconds: 1 })
    return true
  })
  for (const { letGo } of held) letGo()
  await Promise.all([...waiting, ...held.map(({ done }) => done)])
  assert.deepEqual(order, [1, 2, 3])
  assert.ok(pids.size <= 2)
  assert.deepEqual({ ...connections.usage, idle: null }, { used: 0, idle: null, waiting: 0 })
})

test('who waits for longer than the patience there is, is refused, and leaves the queue', async () => {
  await using connections = pool({ size: 1, acquireTimeoutMs: 100 })
  await connections.use(async () => {})
  const held = hold(connections)
  const begun = performance.now()
  await assert.rejects(
    connections.use(async () => {}),
    { code: busy.code },
  )
  assert.ok(performance.now() - begun >= 99)
  assert.equal(connections.usage.waiting, 0)
  held.letGo()
  await held.done
})

test('a host that refuses is passed over, and so is one that takes connections and never answers', async () => {
  const silent = createServer()
  const sockets: Socket[] = []
  silent.on('connection', (socket) => sockets.push(socket))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const { host } = new URL(url)
  await using connections = pool({ url: url.replace(host, `127.0.0.1:1,127.0.0.1:${port},${host}`) })
  const begun = performance.now()
  const first = await connections.use(pid)
  assert.ok(performance.now() - begun >= 1_900)
  const held = hold(connections)
  assert.notEqual(await connections.use(pid), first, 'the second connection')
  assert.ok(performance.now() - begun < 4_500, 'goes to the host that answered at once')
  held.letGo()
  await held.done
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('a server that takes no writes is not used; waiting for one that does ends with the reason of each host', async () => {
  const readOnly = await server.createDatabase()
  await using writable = pool()
  await writable.use((connection) =>
    connection.execute(`ALTER DATABASE ${new URL(readOnly).pathname.slice(1)} SET default_transaction_read_only = on`),
  )
  const { host } = new URL(url)
  await using connections = pool({ url: readOnly.replace(host, `127.0.0.1:1,${host}`), acquireTimeoutMs: 300 })
  await assert.rejects(connections.use(pid), ({ code, cause }: { code: string; cause: Error }) => {
    assert.equal(code, busy.code)
    assert.match(cause.message, /127\.0\.0\.1:1: connect ECONNREFUSED .*; 127\.0\.0\.1:\d+: It takes no writes/)
    assert.equal(failureOf(cause), 'connection')
    return true
  })
})

test('what waiting does not cure is told at once: a wrong password, a database that is not there', async () => {
  for (const [wrong, message] of [
    [url.replace(':postgres@', ':not-this@'), /password authentication failed/],
    [`${url}_not`, /does not exist/],
  ] as const) {
    await using connections = pool({ url: wrong })
    const begun = performance.now()
    await assert.rejects(connections.use(pid), message)
    assert.ok(performance.now() - begun < 2_000)
  }
})

test('while no server is known, one connection at a time asks for all who wait', async () => {
  let asked = 0
  const dying = createServer((socket) => {
    asked++
    socket.destroy()
  })
  dying.listen(0, '127.0.0.1')
  await once(dying, 'listening')
  const { port } = dying.address() as { port: number }
  const away = url.replace(new URL(url).host, `127.0.0.1:${port}`)
  await using connections = pool({ url: away, size: 10, maxWaiting: 50, acquireTimeoutMs: 1_000 })
  await assert.rejects(connections.use(pid), { code: busy.code })
  asked = 0
  const waiting = await Promise.allSettled(Array.from({ length: 50 }, () => connections.use(pid)))
  assert.ok(waiting.every(({ status }) => status === 'rejected'))
  assert.ok(asked >= 1 && asked <= 12, `asked ${asked} times in 1 s`)
  dying.close()
})

test('an answer that has arrived while this process was busy is no missing one', async () => {
  await using connections = pool({ responseTimeoutMs: 1_000 })
  await connections.use(async (connection) => {
    // The first two arrive meanwhile, the third after.
    const answers = [pid(connection), ...[1, 2].map(() => connection.execute('SELECT pg_sleep(0.75)'))]
    for (const begun = performance.now(); performance.now() - begun < 1_300; );
    await Promise.all(answers)
    assert.equal(connection.broken, false)
  })
})

test('when one connection breaks, those that are idle are not used any more', async () => {
  await using connections = pool()
  const held = hold(connections)
  const idle = await connections.use(pid)
  await connections.use(async () => {
    held.letGo()
    await held.done
  })
  assert.equal(connections.usage.idle, 2)
  await connections.use((connection) => {
    connection.close()
    return Promise.resolve()
  })
  assert.equal(connections.usage.idle, 0)
  assert.notEqual(await connections.use(pid), idle)
})

test('a primary that is demoted is noticed by what it refuses, and its connection replaced', async () => {
  await using connections = pool({ size: 1 })
  const before = await connections.use(async (connection) => {
    await connection.execute('SET default_transaction_read_only = on')
    await assert.rejects(connection.execute('CREATE TABLE t (id INTEGER)'), { code: '25006' })
    assert.ok(connection.broken)
    return pid(connection)
  })
  assert.notEqual(await connections.use(pid), before)
})

test('a connection that is ended by the server is replaced, whether in use or idle', async () => {
  await using connections = pool()
  const end = (backend: number) =>
    connections.use((other) => other.execute(`SELECT pg_terminate_backend(${backend}, 5000)`))
  const inUse = await connections.use(async (connection) => {
    const own = await pid(connection)
    const sleeping = connection.execute('SELECT pg_sleep(30)')
    sleeping.catch(() => {})
    await end(own)
    await assert.rejects(sleeping, (error) => failureOf(error) === 'connection')
    return own
  })
  const [idle, one] = await connections.use(async (connection) => [connection, await pid(connection)] as const)
  assert.notEqual(one, inUse)
  await using another = pool()
  await another.use((other) => other.execute(`SELECT pg_terminate_backend(${one}, 5000)`))
  await until(() => idle.broken)
  assert.notEqual(await connections.use(pid), one)
})

test('the server gives up a statement that takes too long: nothing was done, and the connection is good', async () => {
  await using connections = pool({ responseTimeoutMs: 500 })
  await connections.use(async (connection) => {
    await assert.rejects(connection.execute('SELECT pg_sleep(30)'), (error) => failureOf(error) === 'slow')
    assert.equal(connection.broken, false)
    assert.equal(typeof (await pid(connection)), 'number')
    await connection.withoutTimeouts(() => connection.execute('SELECT pg_sleep(0.8)'))
    await assert.rejects(connection.execute('SELECT pg_sleep(30)'), { code: '57014' })
  })
})

test('closing finishes what waits, refuses what comes, and leaves no connection', async () => {
  await using other = pool()
  const open = async () =>
    (
      await other.use((connection) =>
        connection.execute("SELECT 1 FROM pg_stat_activity WHERE query = '/* closing */'"),
      )
    ).rowCount
  const connections = pool({ size: 1 })
  const mark = (connection: PostgresConnection) => connection.execute('/* closing */')
  const works = [1, 2, 3].map(() => connections.use(mark))
  const closed = connections.close()
  await assert.rejects(connections.use(mark), /closed/)
  await Promise.all([...works, closed])
  await until(async () => (await open()) === 0)
})

test('closing waits for a read that has only just come', async () => {
  const connections = pool()
  await connections.use(pid)
  let isRead = false
  const read = connections.share(async (connection) => {
    await pid(connection)
    isRead = true
  })
  await connections.close()
  assert.ok(isRead)
  await read
})
