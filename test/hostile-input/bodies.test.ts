import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal } from '../support/http/envelope.ts'
import { bytesOf, exchange } from '../support/http/wire.ts'
import { type BodyOperation, bodyOperations, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const KiB = 1024
/** Operations with a body limit of 64 KiB. */
const small = bodyOperations.filter((operation) => operation !== 'replaceConfiguration')

/** The head of the valid request with `headers` replaced, without a body. */
function head(operation: BodyOperation, headers: [string, string][]): Buffer {
  return bytesOf({ ...target.request(operation, { headers }), body: undefined })
}

test('answers 413 to a body one byte over the limit (threat A03)', async () => {
  await target.unchanged(async () => {
    for (const operation of small) {
      const answer = await target.send(operation, { body: Buffer.alloc(64 * KiB + 1, ' ') })
      assertRefusal(answer, 'PAYLOAD_TOO_LARGE')
      assert.equal(answer.headers['connection'], 'close')
      const largest = await target.send(operation, { body: Buffer.alloc(64 * KiB, ' ') })
      assertRefusal(largest, 'VALIDATION_ERROR', { body: 'Invalid JSON' })
    }
    assertRefusal(
      await target.send('replaceConfiguration', { body: Buffer.alloc(1024 * KiB + 1, ' ') }),
      'PAYLOAD_TOO_LARGE',
    )
  })
})

test('answers 413 to a large Content-Length before the body arrives and closes the connection (threat A03)', async () => {
  for (const operation of small) {
    const announced = head(operation, [['content-length', '1000000000']])
    const { answers, closed } = await exchange(target.service.baseUrl, announced)
    assert.equal(answers.length, 1)
    assertRefusal(answers[0]!, 'PAYLOAD_TOO_LARGE')
    assert.ok(closed)
  }
})

test('answers 413 when a chunked body passes the limit, without buffering the rest (threat A03)', async () => {
  const grown: number[] = []
  for (let round = 0; round < 5; round++) {
    const before = process.memoryUsage().rss
    async function* endless() {
      yield head('resendOtp', [['transfer-encoding', 'chunked']])
      const piece = Buffer.concat([Buffer.from('4000\r\n'), Buffer.alloc(16 * KiB, ' '), Buffer.from('\r\n')])
      for (let sent = 0; sent < 10_000 * KiB; sent += 16 * KiB) yield piece
    }
    const { answers } = await exchange(target.service.baseUrl, endless(), { until: 1 })
    assertRefusal(answers[0]!, 'PAYLOAD_TOO_LARGE')
    grown.push(process.memoryUsage().rss - before)
  }
  assert.ok(Math.min(...grown) < 20_000 * KiB, `${grown} bytes`)
})

test('reports an earlier failed check before the body size (threat A03)', async () => {
  for (const length of ['1000000000', '70000']) {
    const { answers } = await exchange(
      target.service.baseUrl,
      head('resendOtp', [
        ['content-length', length],
        ['x-tenant-key', 'x'],
      ]),
      { until: 1 },
    )
    assertRefusal(answers[0]!, 'INVALID_TENANT_KEY')
  }
})

test('rejects invalid UTF-8 anywhere in the body (threat A15)', async () => {
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"nickname":"'), Buffer.from(bytes), Buffer.from('"}')])
  const bodies = [
    Buffer.from([0xff, 0xfe]),
    around([0xff, 0xfe]),
    around([0xc0, 0xaf]), // an overlong slash
    around([0xe0, 0x80, 0xaf]),
    around([0xf0, 0x82, 0x82, 0xac]),
    around([0xed, 0xa0, 0x80]), // an encoded surrogate
    around([0xf4, 0x90, 0x80, 0x80]), // beyond U+10FFFF
    around([0xe2, 0x82]), // truncated
    around([0x80]),
    Buffer.from('{}', 'utf16le'),
    Buffer.from('\ufeff{}', 'utf16le'),
  ]
  await target.unchanged(async () => {
    for (const body of bodies) {
      for (const operation of bodyOperations) {
        assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { body: 'Invalid JSON' })
      }
    }
  })
})

test('rejects a body that starts with a byte order mark (threat A15)', async () => {
  await target.unchanged(async () => {
    for (const operation of bodyOperations) {
      const body = `\ufeff${JSON.stringify(target.bodies[operation])}`
      assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { body: 'Invalid JSON' })
    }
  })
})
