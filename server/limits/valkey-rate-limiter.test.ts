import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey, type ValkeyServer } from '../../test/support/databases/valkey-server.ts'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { recordedLog } from '../../test/support/recorded-log.ts'
import { until } from '../../test/support/until.ts'
import { limitKey } from './limit-key.ts'
import type { ManagedRateLimiter } from './rate-limiter.ts'
import { limiterSuite } from './suite/limiter-suite.testkit.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'
import type { ValkeyAddress } from './valkey-url.ts'

let server: ValkeyServer
let limiters: [ManagedRateLimiter, ManagedRateLimiter]
const { logger, log } = recordedLog()
/** A patient one: on a busy machine Valkey is slow without being at fault. */
const open = () => createValkeyRateLimiter(server.address, { logger, answerMs: 2_000 })

before(async () => {
  if (noValkey) return
  server = await startValkey()
  limiters = [await open(), await open()]
})
after(async () => {
  for (const limiter of limiters ?? []) await limiter.close()
  await server?.close()
})

limiterSuite({ name: 'Valkey', skip: noValkey, limiters: () => limiters, modelRuns: 40 })

test('reconnects when a server before Redis 7 has become a read-only replica (threat G08)', async (t) => {
  const refusal =
    "-ERR Error running script (call to f_0): @user_script:37: @user_script: 37: -READONLY You can't write against a read only replica.\r\n"
  let connections = 0
  const replica = createTcpServer((client) => {
    connections++
    client.on('error', () => client.destroy())
    client.on('data', (commands) => {
      for (const [, name] of `${commands}`.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        client.write(name?.startsWith('eval') ? refusal : '+OK\r\n')
    })
  })
  const address = { host: '127.0.0.1', port: await listenOnLoopback(replica), db: 0, tls: false } as const
  const limiter = await createValkeyRateLimiter(address, { logger: pino({ level: 'silent' }), answerMs: 2_000 })
  t.after(() => {
    replica.close()
    return limiter.close()
  })
  await until(() => connections >= 3)
  assert.equal(limiter.isShared, false)
})

describe('a limiter on Valkey that fails', { skip: noValkey }, () => {
  const ten = { quota: 10, windowSeconds: 60 }

  test('accepts an answer that arrived while the event loop was busy', async () => {
    const limiter = await createValkeyRateLimiter(server.address, { logger, answerMs: 200 })
    const take = () => limiter.take('resend', 'busy', ten, 0)
    await take()
    const taken = take()
    for (const end = performance.now() + 500; performance.now() < end; );
    assert.deepEqual(await taken, { admitted: true, remaining: 8, resetSeconds: 60 })
    assert.deepEqual(log, [])
    await limiter.close()
  })

  test('keeps a log until its newest time expires, after the clock went back (threat G13)', async () => {
    const [limiter] = limiters
    await limiter.take('resend', 'back', ten, 600_000)
    await limiter.take('resend', 'back', ten, 0)
    const ms = await server.client.pttl(`tenantry:limit:${limitKey('resend', 'back')}`)
    assert.ok(ms > 600_000 + 60_000, `${ms}`)
  })

  test('waits for one command per outage only (threat G08)', async () => {
    const limiter = await createValkeyRateLimiter(server.address, { logger })
    const take = (subject: string) => limiter.take('resend', subject, ten, 0)
    for (let i = 0; i < 4; i++) await take('waiting')
    server.freeze()
    const waiting = performance.now()
    assert.deepEqual(await take('waiting'), { admitted: true, remaining: 5, resetSeconds: 60 })
    const waited = performance.now() - waiting
    let answered = 0
    const count = async (subject: string) => {
      await take(subject)
      answered++
    }
    for (let i = 0; i < 100; i++) count(`${i}`)
    // The known state is reported before the event loop reads from the socket.
    await new Promise(process.nextTick)
    assert.equal(answered, 100)
    server.thaw()
    // Timers count whole milliseconds, so they may end a fraction early.
    assert.ok(waited >= 149, `${waited} ms`)
    await until(() => log.length === 2)
    assert.match(log[0]!, /"reason":"No answer within 150 ms".*Valkey does not answer/)
    assert.match(log[1]!, /answers again/)
    await limiter.close()
  })

  test('reports whether limits are shared without requests', async () => {
    await using other = await startValkey()
    const limiter = await createValkeyRateLimiter(other.address, { logger: pino({ level: 'silent' }), answerMs: 2_000 })
    assert.equal(limiter.isShared, true)
    await other.kill()
    await until(() => !limiter.isShared)
    // The connection is known to be down, so even the first take does not wait.
    let isTold = false
    void Promise.resolve(limiter.take('resend', 'first', ten, 0)).then(() => {
      isTold = true
    })
    await new Promise(setImmediate)
    assert.ok(isTold)
    await other.start()
    await until(() => limiter.isShared === true)
    await limiter.close()
  })

  test('logs one outage for a user without permission for scripts, and reports limits as not shared', async () => {
    await using other = await startValkey()
    await other.client.call('ACL', 'SETUSER', 'tenantry', 'on', '>pw', '~tenantry:*', '+@all', '-@scripting')
    const { logger: own, log: lines } = recordedLog()
    const address = { ...other.address, username: 'tenantry', password: 'pw' }
    const limiter = await createValkeyRateLimiter(address, { logger: own, answerMs: 2_000 })
    const refusals = async () =>
      Number(/cmdstat_evalsha:.*rejected_calls=(\d+)/.exec(await other.client.info('commandstats'))?.[1] ?? 0)
    assert.equal(limiter.isShared, false)
    await until(async () => (await refusals()) >= 2)
    for (let i = 0; i < 10; i++) assert.equal((await limiter.take('resend', 'refused', ten, 0)).admitted, true)
    assert.equal((await limiter.take('resend', 'refused', ten, 0)).admitted, false)
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /"reason":"NOPERM .*Valkey does not answer/)

    await other.client.call('ACL', 'SETUSER', 'tenantry', '+@scripting')
    await until(() => limiter.isShared === true)
    assert.match(lines[1]!, /answers again/)
    await limiter.close()
  })

  test('logs the reason of the current outage', async () => {
    await using other = await startValkey()
    await other.kill()
    const { logger: own, log: lines } = recordedLog()
    const limiter = await createValkeyRateLimiter(other.address, { logger: own, answerMs: 2_000 })
    await other.start()
    await until(() => limiter.isShared === true)
    await other.client.call('ACL', 'SETUSER', 'default', '-@scripting')
    await limiter.take('resend', 'refused', ten, 0)
    await limiter.close()
    assert.match(lines[0]!, /"reason":"connect ECONNREFUSED/)
    assert.match(lines[2]!, /"reason":"NOPERM/)
  })

  test('logs why the server refuses connections after it has closed one', async () => {
    await using other = await startValkey()
    const { logger: own, log: lines } = recordedLog()
    const limiter = await createValkeyRateLimiter(other.address, { logger: own, answerMs: 2_000 })
    await other.client.config('SET', 'requirepass', 'changed')
    await other.client.call('CLIENT', 'KILL', 'TYPE', 'normal')
    await until(() => limiter.isShared === false)
    await limiter.take('resend', 'refused', ten, 0)
    await until(() => lines.length === 1)
    await limiter.close()
    assert.match(lines[0]!, /"reason":"NOAUTH/)
  })

  test('logs that the server accepts no more clients, and shares limits once it does', async () => {
    await using other = await startValkey()
    await other.client.config('SET', 'maxclients', '1')
    const { logger: own, log: lines } = recordedLog()
    const limiter = await createValkeyRateLimiter(other.address, { logger: own, answerMs: 2_000 })
    await other.client.config('SET', 'maxclients', '10')
    await until(() => limiter.isShared === true)
    await limiter.close()
    assert.match(lines[0]!, /"reason":"[^"]*(?:maxclients|max number of clients)[^"]*"/)
  })

  test('logs no outage when it is closed', async () => {
    await using other = await startValkey()
    const { logger: own, log: lines } = recordedLog()
    const limiter = await createValkeyRateLimiter(other.address, { logger: own, answerMs: 500 })
    other.freeze()
    const taken = limiter.take('resend', 'late', ten, 0)
    await limiter.close()
    assert.equal((await taken).admitted, true)
    assert.deepEqual(lines, [])
  })

  test('logs problems with VALKEY_URL with host and port', async () => {
    const told = async (address: Partial<ValkeyAddress>) => {
      const { logger: own, log: lines } = recordedLog()
      const limiter = await createValkeyRateLimiter({ ...server.address, ...address }, { logger: own, answerMs: 2_000 })
      await limiter.close()
      return lines.join()
    }
    const web = createServer((_request, response) => response.end())
    const port = await listenOnLoopback(web)
    const notValkey = await told({ port })
    web.closeAllConnections()
    web.close()
    assert.match(
      notValkey,
      new RegExp(`"at":"127.0.0.1:${port}","reason":"The server does not speak the protocol of Valkey`),
    )
    const noDatabase = await told({ db: 99 })
    assert.match(
      noDatabase,
      new RegExp(`"at":"127.0.0.1:${server.address.port}".*Valkey has no database of this number`),
    )
  })
})
