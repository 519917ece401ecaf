import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { selfSignedCertificate } from '../../../test/support/peers/certificate.ts'
import { startHttpPeer } from '../../../test/support/peers/http-peer.ts'
import { neverAborted } from '../../../test/support/peers/rendered-message.ts'
import { TemporaryFailure } from '../provider.ts'
import type { NameLookup } from './destination.ts'
import { createOutboundHttp } from './outbound-http.ts'

const request = { headers: { authorization: 'Bearer canary-token' }, body: 'canary-body' }
const answering = (...answers: string[]): NameLookup & { asked: number } => {
  const lookup = async () => [{ address: answers[Math.min(lookup.asked++, answers.length - 1)]!, family: 4 }]
  lookup.asked = 0
  return lookup
}
const failure = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TemporaryFailure)
  assert.match(error.message, pattern)
  assert.doesNotMatch(`${error.message}${error.stack}`, /canary/)
  return true
}

const listener = await startHttpPeer({ status: 200, body: 'reached' })
after(() => listener.close())

test('connects to no notation of a private address', async () => {
  const { port } = listener
  const http = createOutboundHttp({ allowPrivate: false, lookup: answering('127.0.0.1') })
  const before = listener.connections()
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0',
    '0.0.0.0',
  ]
  const more = [
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '１２７.0.0.1',
  ]
  const names = [
    'localhost',
    'LOCALHOST.',
    'innocent.example',
    '169.254.169.254',
    '10.0.0.1',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ]
  for (const host of [...hosts, ...more, ...names]) {
    await assert.rejects(
      http.post(`https://${host}:${port}/canary`, request, neverAborted),
      failure(/not on the public internet/),
    )
  }
  assert.equal(listener.connections(), before)
})

test('connects to the same notations if private addresses are allowed', async () => {
  const http = createOutboundHttp({ allowPrivate: true, lookup: answering('127.0.0.1') })
  for (const host of ['127.0.0.1', '0177.0.0.1', '2130706433', '[::ffff:7f00:1]', 'innocent.example']) {
    const { status, text } = await http.post(`http://${host}:${listener.port}/`, request, neverAborted)
    assert.deepEqual({ status, text }, { status: 200, text: 'reached' })
  }
})

test('resolves a host once and connects to that address, which prevents DNS rebinding', async () => {
  const rebinding = answering('127.0.0.2', '127.0.0.1')
  const strict = createOutboundHttp({ allowPrivate: true, lookup: rebinding, timeoutMs: 150 })
  const before = listener.connections()
  await assert.rejects(
    strict.post(`http://rebind.example:${listener.port}/`, request, neverAborted),
    failure(/rebind\.example/),
  )
  assert.deepEqual([rebinding.asked, listener.connections()], [1, before])

  const pinned = answering('127.0.0.1', '127.0.0.2')
  const free = createOutboundHttp({ allowPrivate: true, lookup: pinned })
  assert.equal((await free.post(`http://rebind.example:${listener.port}/`, request, neverAborted)).text, 'reached')
  assert.equal(pinned.asked, 1)
})

test('refuses a host with a private address among public ones', async () => {
  const lookup: NameLookup = async () => [
    { address: '192.31.196.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  const http = createOutboundHttp({ allowPrivate: false, lookup })
  await assert.rejects(
    http.post('https://mixed.example/', request, neverAborted),
    failure(/not on the public internet/),
  )
})

test('does not follow redirects', async () => {
  const before = listener.connections()
  const peer = await startHttpPeer({ status: 302, headers: { location: `${listener.url}/secret` } })
  const http = createOutboundHttp({ allowPrivate: true })
  assert.equal((await http.post(peer.url, request, neverAborted)).status, 302)
  await peer.close()
  assert.equal(listener.connections(), before)
})

test('takes an answer 101 as an answer, and closes the connection', async () => {
  const server = createServer()
  const port = await listenOnLoopback(server)
  const closed = new Promise((resolve) => {
    server.on('connection', (socket) => {
      socket.on('close', resolve).on('error', resolve)
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n')
      })
    })
  })
  const http = createOutboundHttp({ allowPrivate: true })
  assert.deepEqual(await http.post(`http://127.0.0.1:${port}/`, request, neverAborted), { status: 101, text: '' })
  await closed
  server.close()
})

test('refuses http, other schemes, credentials and invalid URLs without quoting them', async () => {
  const strict = createOutboundHttp({ allowPrivate: false })
  for (const url of ['http://example.com/canary', 'ftp://example.com/canary', 'file:///canary', 'data:,canary'])
    await assert.rejects(strict.post(url, request, neverAborted), failure(/must begin with https/))
  const url = 'https://user:canary@example.com/'
  await assert.rejects(strict.post(url, request, neverAborted), failure(/must not hold a user name/))
  await assert.rejects(strict.post('canary', request, neverAborted), failure(/must be a whole URL/))
})

test('reads at most 64 KB of a response', async () => {
  const peer = await startHttpPeer({ status: 500, body: 'x'.repeat(1_000_000) })
  const { status, text } = await createOutboundHttp({ allowPrivate: true }).post(peer.url, request, neverAborted)
  await peer.close()
  assert.deepEqual([status, text.length], [500, 65_536])
})

test('accepts a success whose body never ends', async () => {
  const peer = await startHttpPeer({ status: 201, body: 'part', drip: true })
  const http = createOutboundHttp({ allowPrivate: true, timeoutMs: 1_000 })
  assert.deepEqual(await http.post(peer.url, request, neverAborted), { status: 201, text: 'part' })
  await peer.close()
})

test('distinguishes timeout, disconnect, closed port, unknown host and slow name server', async () => {
  const impatient = createOutboundHttp({ allowPrivate: true, timeoutMs: 100 })
  const silent = await startHttpPeer('hang')
  await assert.rejects(
    impatient.post(silent.url, request, neverAborted),
    failure(/^127\.0\.0\.1 did not answer within 0\.1 s$/),
  )
  await silent.close()
  const http = createOutboundHttp({ allowPrivate: true })
  const cutting = await startHttpPeer('cut')
  await assert.rejects(http.post(cutting.url, request, neverAborted), failure(/closed the connection/))
  await cutting.close()
  await assert.rejects(http.post(cutting.url, request, neverAborted), failure(/refused the connection/))
  const unknown = createOutboundHttp({
    allowPrivate: true,
    lookup: () => Promise.reject(Object.assign(new Error('canary'), { code: 'ENOTFOUND' })),
  })
  await assert.rejects(unknown.post('http://unknown.example', request, neverAborted), failure(/has no address/))
  const full = createOutboundHttp({
    allowPrivate: true,
    lookup: () => Promise.reject(Object.assign(new Error('canary'), { code: 'EMFILE' })),
  })
  await assert.rejects(
    full.post('http://any.example', request, neverAborted),
    failure(/has too many open files; raise/),
  )
  const slow = createOutboundHttp({ allowPrivate: true, timeoutMs: 50, lookup: () => new Promise(() => {}) })
  await assert.rejects(slow.post('http://slow.example', request, neverAborted), failure(/did not answer within/))
})

test("aborts with the caller's signal, before and during a request", async () => {
  const silent = await startHttpPeer('hang')
  const http = createOutboundHttp({ allowPrivate: true })
  await assert.rejects(http.post(silent.url, request, AbortSignal.abort()), failure(/aborted/))
  assert.equal(silent.connections(), 0)
  await assert.rejects(http.post(silent.url, request, AbortSignal.timeout(50)), failure(/aborted/))
  await silent.close()
})

test('requires a trusted certificate for the host name, not for the address', async () => {
  const certificate = selfSignedCertificate('gateway.example')
  const peer = await startHttpPeer({ status: 200, headers: { 'retry-after': '7' } }, certificate)
  const rules = { allowPrivate: true, lookup: answering('127.0.0.1') }
  const url = `https://gateway.example:${peer.port}/`
  await assert.rejects(
    createOutboundHttp(rules).post(url, request, neverAborted),
    failure(/certificate that is not trusted/),
  )
  const trusting = createOutboundHttp({ ...rules, ca: certificate.cert })
  await assert.rejects(
    trusting.post(`https://other.example:${peer.port}/`, request, neverAborted),
    failure(/not trusted/),
  )
  assert.equal(peer.requests.length, 0)
  assert.deepEqual(await trusting.post(url, request, neverAborted), { status: 200, text: '', retryAfterSeconds: 7 })
  assert.equal(peer.requests[0]?.headers.host, `gateway.example:${peer.port}`)
  assert.equal(peer.requests[0]?.headers.connection, 'close')
  await peer.close()
})

const retryTimes: readonly [given: string, seconds: number | undefined][] = [
  ['90', 90],
  ['Fri, 27 Nov 2026 03:00:30 GMT', 30],
  ['Friday, 27-Nov-26 03:00:30 GMT', 30],
  ['Fri, 27 Nov 2026 02:59:00 GMT', undefined],
  ['Sat, 27 Nov 2027 03:00:00 GMT', undefined],
  ['soon', undefined],
]
test('reads the delay that a peer asks for, in seconds or as a time by its own clock', async () => {
  let given = ''
  const date = 'Fri, 27 Nov 2026 03:00:00 GMT'
  const peer = await startHttpPeer(() => ({ status: 429, headers: { date, 'retry-after': given } }))
  const http = createOutboundHttp({ allowPrivate: true })
  for (const [header, seconds] of retryTimes) {
    given = header
    assert.equal((await http.post(peer.url, request, neverAborted)).retryAfterSeconds, seconds, header)
  }
  await peer.close()
})
