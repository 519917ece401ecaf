import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertRefusal } from '../support/http/envelope.ts'
import { bytesOf, dial, exchange, send } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

/** The HTTP server uses real time, so these timeouts are as short as its check interval allows. */
const timeouts = { headersMs: 250, requestMs: 500, checkIntervalMs: 50 }

let target: Target
before(async () => {
  target = await startTarget({ timeouts })
})
after(() => target[Symbol.asyncDispose]())

const head = () =>
  bytesOf({ ...target.request('resendOtp', { headers: [['content-length', '1000']] }), body: undefined })

/** Sends one byte at a time, for longer than the server waits. */
async function* drip(bytes: string, everyMs: number) {
  for (const byte of bytes) {
    yield byte
    await wait(everyMs)
  }
}

async function* bodyDrip() {
  yield head()
  yield* drip('x'.repeat(100), 20)
}

test('answers 408 to slow or missing headers and bodies and serves other clients meanwhile (threat A24)', async () => {
  const slow = {
    headers: drip(`POST /otp/resend HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100)}`, 20),
    body: bodyDrip(),
    'half a line': 'POST /otp/re',
    'half a body': Buffer.concat([head(), Buffer.from('{"id":')]),
    nothing: '',
  }
  await target.unchanged(async () => {
    const started = performance.now()
    const all = Object.entries(slow).map(async ([name, bytes]) => ({
      name,
      ...(await exchange(target.service.baseUrl, bytes)),
    }))
    for (let request = 0; request < 20; request++) {
      assert.equal((await send(target.service.baseUrl, { path: '/healthz' })).status, 200)
    }
    for (const { name, answers, closed } of await Promise.all(all)) {
      assert.equal(answers.length, 1, name)
      assertRefusal(answers[0]!, 'REQUEST_TIMEOUT')
      assert.ok(closed, name)
    }
    assert.ok(performance.now() - started < 4_000)
  })
})

test('closes a rejected connection whose body never ends, without a second answer (threat A24)', async () => {
  const refusedEarly = bytesOf({ method: 'POST', path: '/otp/resend', headers: [['content-length', '1000']] })
  const { answers, closed } = await exchange(target.service.baseUrl, refusedEarly)
  assert.equal(answers.length, 1)
  assertRefusal(answers[0]!, 'MISSING_TENANT_KEY')
  assert.ok(closed)
})

test('closes hundreds of idle connections and serves other clients meanwhile (threat A24)', async () => {
  const idle: Socket[] = Array.from({ length: 300 }, () =>
    dial(target.service.baseUrl)
      .on('error', () => {})
      .resume(),
  )
  const closed = Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  assert.equal((await send(target.service.baseUrl, { path: '/healthz' })).status, 200)
  await closed
})

test('closes a rejected connection even if the peer never closes its side (threat A24)', async () => {
  const { hostname, port } = new URL(target.service.baseUrl)
  const assertCloses = async (bytes: string) => {
    const accepted = once(target.service.service.http.server, 'connection') as Promise<[Socket]>
    const peer = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
      .on('error', () => {})
      .resume()
    const [connection] = await accepted
    peer.write(bytes)
    const timeout = AbortSignal.timeout(30_000)
    await once(connection, 'close', { signal: timeout }).catch(() => assert.fail(`${bytes} kept the connection open`))
    peer.destroy()
  }
  for (const bytes of ['GARBAGE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'GET / HTTP/1.1\r\n'])
    await assertCloses(bytes)
})
