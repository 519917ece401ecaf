import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { bytesOf, dial, exchange } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const converse = (bytes: string | Buffer) => exchange(target.service.baseUrl, bytes)

/** Asserts that the bytes get one 400 answer and that the connection closes. */
async function refusedAndClosed(bytes: string | Buffer): Promise<void> {
  const shown = JSON.stringify(bytes.toString('latin1').slice(0, 200))
  const { answers, closed } = await converse(bytes)
  assert.equal(answers.length, 1, shown)
  assert.ok(closed, shown)
  assertRefusal(answers[0]!, 'BAD_REQUEST')
}

const line = 'POST /otp/resend HTTP/1.1\r\nhost: a\r\n'
/** Parsed as a second request if the server misreads where the first one ends. */
const smuggled = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'

const ambiguous: Record<string, string> = {
  'Content-Length before chunked': `${line}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'chunked before Content-Length': `${line}transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\n${smuggled}`,
  'two Content-Length headers': `${line}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${smuggled}`,
  'two equal Content-Length headers': `${line}content-length: 2\r\ncontent-length: 2\r\n\r\n{}${smuggled}`,
  'a Content-Length list': `${line}content-length: 2, 2\r\n\r\n{}${smuggled}`,
  'a negative Content-Length': `${line}content-length: -1\r\n\r\n{}${smuggled}`,
  'a signed Content-Length': `${line}content-length: +2\r\n\r\n{}${smuggled}`,
  'a hexadecimal Content-Length': `${line}content-length: 0x2\r\n\r\n{}${smuggled}`,
  'a Content-Length with a space in it': `${line}content-length: 1 0\r\n\r\n{}${smuggled}`,
  'a Content-Length above 2^64': `${line}content-length: 99999999999999999999999\r\n\r\n{}${smuggled}`,
  'an empty Content-Length': `${line}content-length: \r\n\r\n{}${smuggled}`,
  'chunked before identity': `${line}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
  'an unknown transfer coding': `${line}transfer-encoding: cow\r\n\r\n0\r\n\r\n${smuggled}`,
  'a misspelled transfer coding': `${line}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a quoted transfer coding': `${line}transfer-encoding: "chunked"\r\n\r\n0\r\n\r\n${smuggled}`,
  'Transfer-Encoding with a space before the colon': `${line}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'Content-Length with a space before the colon': `${line}content-length : 2\r\n\r\n{}${smuggled}`,
  'a folded header': `${line}x: y\r\n transfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a folded transfer coding': `${line}transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a header line that starts with a space': `POST /otp/resend HTTP/1.1\r\n host: a\r\n\r\n${smuggled}`,
  'bare line feeds': `POST /otp/resend HTTP/1.1\nhost: a\n\n${smuggled}`,
  'a bare line feed in a header': `${line}x: y\ncontent-length: 2\r\n\r\n{}${smuggled}`,
  'a bare carriage return in a header value': `${line}x: y\rcontent-length: 2\r\n\r\n{}${smuggled}`,
  'NUL in a header value': `${line}x: a\0b\r\n\r\n${smuggled}`,
  'NUL in a header name': `${line}x\0y: b\r\n\r\n${smuggled}`,
  'a header without a name': `${line}: chunked\r\n\r\n${smuggled}`,
  'a header without a colon': `${line}chunked\r\n\r\n${smuggled}`,
  'a truncated request line': `${smuggled.slice(0, 10)}`.padEnd(30, '\0'),
  'an unknown HTTP version': 'GET /healthz HTTP/7.7\r\nhost: a\r\n\r\n',
  'HTTP/2 without negotiation': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a lowercase method': 'get /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'an unknown method': 'BREW /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'a path with a space': 'GET /health z HTTP/1.1\r\nhost: a\r\n\r\n',
  'a path without a leading slash': 'GET healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'TLS on a plaintext port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an SMTP command': 'EHLO tenantry.test\r\n',
}

for (const [name, bytes] of Object.entries(ambiguous)) {
  test(`answers ${name} with one 400 and closes the connection (threat A20)`, async () => {
    await target.unchanged(() => refusedAndClosed(bytes))
  })
}

const chunked = `${line}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
const brokenChunks: Record<string, string> = {
  'a chunk size that is not a number': `zz\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a negative chunk size': `-2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a chunk size of 2^64 + 2': `10000000000000002\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a chunk size with a trailing space': `2 \r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a chunk size with a 0x prefix': `0x2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a chunk longer than its size': `2\r\n{}x\r\n0\r\n\r\n${smuggled}`,
  'bare line feeds in chunked framing': `2\n{}\n0\n\n${smuggled}`,
  'a chunk extension of one megabyte': `2;${'x'.repeat(1_000_000)}\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'Content-Length in the trailers': `2\r\n{}\r\n0\r\ncontent-length: 9\r\n\r\n${smuggled}`,
}

for (const [name, chunks] of Object.entries(brokenChunks)) {
  test(`sends at most one answer to ${name} and serves no later request (threat A20)`, async () => {
    await target.unchanged(async () => {
      const key = `x-tenant-key: ${target.tenant.key}\r\ncontent-type`
      for (const request of [chunked, chunked.replace('content-type', key)]) {
        const { answers, closed } = await converse(request + chunks)
        assert.ok(closed)
        assert.ok(answers.length <= 1, answers.map(({ text }) => text).join())
        for (const { status } of answers) assert.ok([400, 401].includes(status), `${status}`)
      }
    })
  })
}

test('answers pipelined requests in order before it rejects a malformed one (threat A20)', async () => {
  const good = bytesOf(target.request('getOtpStatus'))
  const { answers, closed } = await converse(
    Buffer.concat([good, bytesOf({ path: '/healthz' }), Buffer.from('GARBAGE\r\n\r\n')]),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400],
  )
  assert.match(answers[0]!.text, /"state":"pending"/)
  assert.match(answers[1]!.text, /"ok"/)
  assertRefusal(answers[2]!, 'BAD_REQUEST')
  assert.ok(closed)
})

test('answers 400 once to malformed bytes that arrive during a request (threat A20)', async () => {
  // A full-cost password hash keeps the request in progress while the bytes arrive.
  await using slow = await startTarget({ hasher: createPasswordHasher({ memoryKiB: 131_072, passes: 2 }) })
  const warnings: string[] = []
  const warn = (warning: Error) => warnings.push(warning.name)
  process.on('warning', warn)
  async function* drip() {
    yield bytesOf(slow.request('signIn'))
    for (let piece = 0; piece < 30; piece++) {
      yield 'GARBAGE\r\n'
      await wait(1)
    }
  }
  const { answers } = await exchange(slow.service.baseUrl, drip())
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400],
  )
  process.off('warning', warn)
  assert.deepEqual(warnings, [])
})

test('treats a chunked body without chunks as an empty body (threat A02)', async () => {
  const headers: [string, string][] = [
    ['transfer-encoding', 'chunked'],
    ['content-type', 'text/plain'],
  ]
  const head = bytesOf({ ...target.request('resendOtp', { headers }), body: undefined })
  const { answers } = await exchange(target.service.baseUrl, Buffer.concat([head, Buffer.from('0\r\n\r\n')]), {
    until: 1,
  })
  assertRefusal(answers[0]!, 'VALIDATION_ERROR', { id: 'Required', scope: 'Required' })
})

test('ignores trailers and small chunk extensions (threat A20)', async () => {
  const body = JSON.stringify(target.bodies.getOtpStatus)
  const head = bytesOf({
    ...target.request('getOtpStatus', {
      headers: [
        ['transfer-encoding', 'chunked'],
        ['trailer', 'x-tenant-key'],
      ],
    }),
    body: undefined,
  })
  const chunks = `${body.length.toString(16)};ext="1"\r\n${body}\r\n0\r\nx-tenant-key: evil\r\n\r\n`
  const { answers } = await exchange(target.service.baseUrl, Buffer.concat([head, Buffer.from(chunks)]), { until: 1 })
  assert.equal(answers[0]!.status, 200)
})

test('answers CONNECT with 404 and closes the connection (threat A22)', async () => {
  for (const to of ['example.com:443', '127.0.0.1:22', '/otp/resend', '[::1]:80']) {
    const { answers, closed } = await converse(`CONNECT ${to} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assert.equal(answers.length, 1, to)
    assertRefusal(answers[0]!, 'NOT_FOUND')
    assert.ok(closed)
  }
})

test('logs no error when a client disconnects while sending its body', async () => {
  const head = bytesOf({ ...target.request('resendOtp', { headers: [['content-length', '100']] }), body: undefined })
  target.service.log.length = 0
  for (let round = 0; round < 5; round++) {
    const socket = dial(target.service.baseUrl)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.write(Buffer.concat([head, Buffer.from('{"id":')]), resolve))
    // Once this request is answered, the server has read the bytes sent before it.
    await converse(bytesOf({ path: '/healthz', headers: [['connection', 'close']] }))
    socket.destroy()
    await converse(bytesOf({ path: '/healthz', headers: [['connection', 'close']] }))
  }
  const loud = target.service.log.filter((written) => JSON.parse(written).level >= 40)
  assert.deepEqual(loud, [])
})
