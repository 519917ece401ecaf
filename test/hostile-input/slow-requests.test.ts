import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertRefusal } from '../support/envelope.ts'
import { bytesOf, dial, exchange, send } from '../support/wire.ts'
import { startTarget, type Target } from './target.ts'

/** Real time, since the HTTP server knows no other clock: as short as its checks can tell apart. */
const timeouts = { headersMs: 250, requestMs: 500, checkIntervalMs: 50 }

let target: Target
before(async () => {
  target = await startTarget({ timeouts })
})
after(() => target[Symbol.asyncDispose]())

const head = () =>
  bytesOf({ ...target.request('resendOtp', { headers: [['content-length', '1000']] }), body: undefined })

/** Bytes one by one, for longer than the server waits. */
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

test('headers, bodies and nothing at all that come drop by drop are 408, and others do not notice (threat A24)', async () => {
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

test('who was refused already and never ends the body hears nothing more, and is cut off (threat A24)', async () => {
  const refusedEarly = bytesOf({ method: 'POST', path: '/otp/resend', headers: [['content-length', '1000']] })
  const { answers, closed } = await exchange(target.service.baseUrl, refusedEarly)
  assert.equal(answers.length, 1)
  assertRefusal(answers[0]!, 'MISSING_TENANT_KEY')
  assert.ok(closed)
})

test('idle connections by the hundred are closed, and meanwhile others are served (threat A24)', async () => {
  const idle: Socket[] = Array.from({ length: 300 }, () =>
    dial(target.service.baseUrl)
      .on('error', () => {})
      .resume(),
  )
  const closed = Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  assert.equal((await send(target.service.baseUrl, { path: '/healthz' })).status, 200)
  await closed
})

test('a peer that never closes its side of a refused connection does not hold it open (threat A24)', async () => {
  const { hostname, port } = new URL(target.service.baseUrl)
  const hold = async (bytes: string) => {
    const accepted = once(target.service.service.http.server, 'connection') as Promise<[Socket]>
    const peer = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
      .on('error', () => {})
      .resume()
    const [connection] = await accepted
    peer.write(bytes)
    const patience = AbortSignal.timeout(3_000)
    await once(connection, 'close', { signal: patience }).catch(() => assert.fail(`${bytes} holds its connection open`))
    peer.destroy()
  }
  for (const bytes of ['GARBAGE\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'GET / HTTP/1.1\r\n'])
    await hold(bytes)
})
