import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey, type ValkeyServer } from '../../test/support/databases/valkey-server.ts'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { limitKey } from './limit-key.ts'
import type { ManagedRateLimiter } from './rate-limiter.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'

const ten = { quota: 10, windowSeconds: 60 }

describe('a limiter on Valkey that loses data', { skip: noValkey }, () => {
  let server: ValkeyServer
  let limiter: ManagedRateLimiter
  /** On a busy machine Valkey is slow without being at fault. */
  const open = (port = server.address.port) =>
    createValkeyRateLimiter({ ...server.address, port }, { logger: pino({ level: 'silent' }), answerMs: 2_000 })
  before(async () => {
    if (noValkey) return
    server = await startValkey()
    limiter = await open()
  })
  after(async () => {
    await limiter?.close()
    await server?.close()
  })

  test('counts what this process admitted after Valkey lost its data (threat G08)', async () => {
    const take = () => limiter.take('resend', 'forgotten', ten, 0)
    for (let i = 0; i < 4; i++) await take()
    await server.client.flushall()
    assert.equal((await limiter.peek('resend', 'forgotten', ten, 0)).remaining, 6)
    assert.equal((await take()).remaining, 5)
    const verdicts = await Promise.all(Array.from({ length: 50 }, take))
    assert.equal(verdicts.filter(({ admitted }) => admitted).length, 5)
  })

  test('counts what was admitted after a clear when Valkey lost the log (threat G08)', async () => {
    const take = (now: number) => limiter.take('resend', 'cleared', ten, now)
    for (let i = 0; i < 9; i++) await take(0)
    await limiter.clear('resend', 'cleared', ten, 0)
    for (let i = 0; i < 4; i++) await take(1)
    await server.client.del(`tenantry:limit:${limitKey('resend', 'cleared')}`)
    assert.equal((await limiter.peek('resend', 'cleared', ten, 2)).remaining, 6)
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => take(2)))
    assert.equal(verdicts.filter(({ admitted }) => admitted).length, 6)
    const ms = await server.client.pttl(`tenantry:limit-clear:${limitKey('resend', 'cleared')}`)
    assert.ok(ms > 60_000 && ms <= 60_000 + 60_000, `${ms}`)
  })

  test('never admits more than the quota itself while it looks for a clear of a log that Valkey lost (threat G08)', async (t) => {
    let onGet = () => {}
    const proxy = createServer((client) => {
      const upstream = connect(server.address.port, '127.0.0.1')
      upstream.pipe(client)
      client.on('data', (commands) => {
        if (`${commands}`.includes('\r\nget\r\n')) onGet()
        upstream.write(commands)
      })
      client.on('close', () => upstream.destroy())
    })
    const busy = await open(await listenOnLoopback(proxy))
    t.after(() => {
      proxy.close()
      return busy.close()
    })
    const take = (of = busy) => of.take('resend', 'looked for', ten, 0)
    for (let i = 0; i < 9; i++) await take()
    await server.client.flushall()
    for (let i = 0; i < 8; i++) await take(limiter)
    const meanwhile: unknown[] = []
    onGet = () => void meanwhile.push(take())
    assert.equal((await take()).admitted, true)
    assert.deepEqual(await Promise.all(meanwhile), [{ admitted: false, remaining: 0, resetSeconds: 60 }])
  })
})
