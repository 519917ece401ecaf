import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '../../../../test/support/databases/postgres-server.ts'
import { suspend } from '../../../../test/support/suspend.ts'
import { until } from '../../../../test/support/until.ts'
import type { PostgresConnection } from './connection.ts'
import { serverProcessOf, testPool } from './connection-pool.testkit.ts'
import { failureOf } from './postgres-error.ts'

let server: PostgresServer
let url: string

before(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
})
after(() => server.close())

const poolOf = (responseTimeoutMs: number) => testPool(url, { size: 1, responseTimeoutMs })

test('the server cancels a slow statement before the response timeout, and the connection stays usable', async () => {
  await using pool = poolOf(500)
  await pool.use(async (connection) => {
    await assert.rejects(connection.execute('SELECT pg_sleep(30)'), (error) => failureOf(error) === 'overload')
    assert.equal(connection.broken, false)
    assert.equal(typeof (await serverProcessOf(connection)), 'number')
    await connection.withoutTimeouts(() => connection.execute('SELECT pg_sleep(0.8)'))
    await assert.rejects(connection.execute('SELECT pg_sleep(30)'), { code: '57014' })
  })
})

test('breaks the connection when no answer comes, also right after a migration and after an idle time', async () => {
  // Simulates a server that hangs: one that works would cancel the statement itself.
  const hang = 'SET statement_timeout = 0'
  const befores: ((connection: PostgresConnection) => Promise<unknown>)[] = [
    (connection) =>
      connection.withoutTimeouts(() => connection.execute('SELECT 1')).then(() => connection.execute(hang)),
    (connection) => connection.execute(hang).then(() => delay(600)),
  ]
  for (const before of befores) {
    await using pool = poolOf(500)
    await pool.use(async (connection) => {
      await before(connection)
      await assert.rejects(connection.execute('SELECT pg_sleep(10)'), { name: 'ResponseTimeout', code: 'ETIMEDOUT' })
    })
  }
})

test('measures the time between answers, not until the last one', async () => {
  await using pool = poolOf(2_000)
  await pool.use((connection) => Promise.all([1, 2].map(() => connection.execute('SELECT pg_sleep(1.1)'))))
})

test('counts an answer that arrived while this process was busy', async () => {
  await using pool = poolOf(2_000)
  await pool.use(async (connection) => {
    // The first two answers arrive while the event loop is blocked, the third afterwards.
    const answers = [serverProcessOf(connection), ...[1, 2].map(() => connection.execute('SELECT pg_sleep(1.1)'))]
    suspend(1_700)
    await Promise.all(answers)
    assert.equal(connection.broken, false)
  })
})

test('waits for a server that was suspended together with this process', async () => {
  await using pool = poolOf(3_000)
  await pool.use(async (connection) => {
    const backend = await serverProcessOf(connection)
    process.kill(backend, 'SIGSTOP')
    const answer = serverProcessOf(connection)
    await nextTurn()
    suspend(3_100)
    // The timer of the deadline runs in this turn.
    await nextTurn()
    process.kill(backend, 'SIGCONT')
    assert.equal(await answer, backend)
  })
})

test('an idle connection is probed before a firewall forgets it', async (t) => {
  if (process.platform !== 'linux') return t.skip('timers of connections are listed on Linux only')
  await using pool = poolOf(2_000)
  await pool.use(async (connection) => {
    const { rows } = await connection.execute('SELECT inet_client_port() AS port')
    const local = `:${rows[0].port.toString(16).toUpperCase().padStart(4, '0')}`
    // The kind of the timer, where 2 is the keepalive, and when it ends in hundredths of a second.
    const idle = new RegExp(`^ *\\d+: \\w+${local} \\S+ 01 \\S+ 02:(\\w+)`, 'm')
    const read = async () => idle.exec(await readFile('/proc/net/tcp', 'latin1'))?.[1]
    await until(async () => (await read()) !== undefined)
    const leftMs = Number.parseInt((await read())!, 16) * 10
    assert.ok(leftMs <= 31_000, `${leftMs}`)
  })
})
