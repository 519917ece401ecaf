import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import { assertRefusal } from '../support/envelope.ts'
import { bytesOf, dial, exchange } from '../support/wire.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const converse = (bytes: string | Buffer) => exchange(target.service.baseUrl, bytes)

/** The one refusal of bytes that are no request, after which the connection is closed. */
async function refusedAndClosed(bytes: string | Buffer): Promise<void> {
  const shown = JSON.stringify(bytes.toString('latin1').slice(0, 200))
  const { answers, closed } = await converse(bytes)
  assert.equal(answers.length, 1, shown)
  assert.ok(closed, shown)
  assertRefusal(answers[0]!, 'BAD_REQUEST')
}

const line = 'POST /otp/resend HTTP/1.1\r\nhost: a\r\n'
/** What would be a second request, were the first one's end misjudged. */
const smuggled = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n'

const ambiguous: Record<string, string> = {
  'a length and chunks': `${line}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'chunks and a length': `${line}transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\n${smuggled}`,
  'two lengths': `${line}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${smuggled}`,
  'two equal lengths': `${line}content-length: 2\r\ncontent-length: 2\r\n\r\n{}${smuggled}`,
  'a list of lengths': `${line}content-length: 2, 2\r\n\r\n{}${smuggled}`,
  'a negative length': `${line}content-length: -1\r\n\r\n{}${smuggled}`,
  'a signed length': `${line}content-length: +2\r\n\r\n{}${smuggled}`,
  'a hexadecimal length': `${line}content-length: 0x2\r\n\r\n{}${smuggled}`,
  'a length with a blank in it': `${line}content-length: 1 0\r\n\r\n{}${smuggled}`,
  'a length beyond 2^64': `${line}content-length: 99999999999999999999999\r\n\r\n{}${smuggled}`,
  'an empty length': `${line}content-length: \r\n\r\n{}${smuggled}`,
  'chunked, then identity': `${line}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
  'an unknown coding': `${line}transfer-encoding: cow\r\n\r\n0\r\n\r\n${smuggled}`,
  'a disguised coding': `${line}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a quoted coding': `${line}transfer-encoding: "chunked"\r\n\r\n0\r\n\r\n${smuggled}`,
  'a space before the colon': `${line}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a length with a space before the colon': `${line}content-length : 2\r\n\r\n{}${smuggled}`,
  'a folded header': `${line}x: y\r\n transfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a folded coding': `${line}transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a header line that starts with a space': `POST /otp/resend HTTP/1.1\r\n host: a\r\n\r\n${smuggled}`,
  'bare line feeds': `POST /otp/resend HTTP/1.1\nhost: a\n\n${smuggled}`,
  'a bare line feed in the headers': `${line}x: y\ncontent-length: 2\r\n\r\n{}${smuggled}`,
  'a bare carriage return in a value': `${line}x: y\rcontent-length: 2\r\n\r\n{}${smuggled}`,
  'NUL in a value': `${line}x: a\0b\r\n\r\n${smuggled}`,
  'NUL in a name': `${line}x\0y: b\r\n\r\n${smuggled}`,
  'a header without a name': `${line}: chunked\r\n\r\n${smuggled}`,
  'a header without a colon': `${line}chunked\r\n\r\n${smuggled}`,
  'a colon-less first line': `${smuggled.slice(0, 10)}`.padEnd(30, '\0'),
  'no version that exists': 'GET /healthz HTTP/7.7\r\nhost: a\r\n\r\n',
  'HTTP/2 without agreement': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a method in small letters': 'get /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'a method that is none': 'HACK /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'a path with a blank': 'GET /health z HTTP/1.1\r\nhost: a\r\n\r\n',
  'a path that is no path': 'GET healthz HTTP/1.1\r\nhost: a\r\n\r\n',
  'TLS spoken to a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'somebody else’s protocol': 'EHLO tenantry.test\r\n',
}

for (const [name, bytes] of Object.entries(ambiguous)) {
  test(`${name}: one refusal, and the connection closes (threat A20)`, async () => {
    await target.unchanged(() => refusedAndClosed(bytes))
  })
}

const chunked = `${line}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
const brokenChunks: Record<string, string> = {
  'a size that is none': `zz\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a negative size': `-2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a size of 2^64 and two': `10000000000000002\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a size with a blank': `2 \r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a size in 0x': `0x2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a chunk longer than said': `2\r\n{}x\r\n0\r\n\r\n${smuggled}`,
  'bare line feeds': `2\n{}\n0\n\n${smuggled}`,
  'an extension of a megabyte': `2;${'x'.repeat(1_000_000)}\r\n{}\r\n0\r\n\r\n${smuggled}`,
  'a length among the trailers': `2\r\n{}\r\n0\r\ncontent-length: 9\r\n\r\n${smuggled}`,
}

for (const [name, chunks] of Object.entries(brokenChunks)) {
  test(`in a chunked body, ${name}: one answer at most, nothing behind it is served (threat A20)`, async () => {
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

test('requests before the broken one get their own answers, in order, and then the refusal (threat A20)', async () => {
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

test('of many broken bytes behind a request that is being answered, one refusal comes (threat A20)', async () => {
  // A hash of the real cost, so that the bytes come while the answer is still being worked on.
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

test('a chunked body of no chunks is no body (threat A02)', async () => {
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

test('trailers and chunk extensions of a sane size change nothing (threat A20)', async () => {
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

test('CONNECT is told that there is nothing to connect to, and hangs up (threat A22)', async () => {
  for (const to of ['example.com:443', '127.0.0.1:22', '/otp/resend', '[::1]:80']) {
    const { answers, closed } = await converse(`CONNECT ${to} HTTP/1.1\r\nhost: a\r\n\r\n`)
    assert.equal(answers.length, 1, to)
    assertRefusal(answers[0]!, 'NOT_FOUND')
    assert.ok(closed)
  }
})

test('a client that goes away in the middle of its body is no error of ours', async () => {
  const head = bytesOf({ ...target.request('resendOtp', { headers: [['content-length', '100']] }), body: undefined })
  target.service.log.length = 0
  for (let round = 0; round < 5; round++) {
    const socket = dial(target.service.baseUrl)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.write(Buffer.concat([head, Buffer.from('{"id":')]), resolve))
    // Another request has been answered: by then the server has read what was sent before it.
    await converse(bytesOf({ path: '/healthz', headers: [['connection', 'close']] }))
    socket.destroy()
    await converse(bytesOf({ path: '/healthz', headers: [['connection', 'close']] }))
  }
  const loud = target.service.log.filter((written) => JSON.parse(written).level >= 40)
  assert.deepEqual(loud, [])
})
