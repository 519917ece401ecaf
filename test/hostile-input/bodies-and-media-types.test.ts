import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertRefusal, assertSuccess } from '../envelope.ts'
import { bytesOf, exchange, send, type WireAnswer } from '../wire.ts'
import { type BodyOperation, bodyOperations, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const KiB = 1024
/** Operations that take no more than 64 KiB. */
const small = bodyOperations.filter((operation) => operation !== 'replaceConfiguration')

/** The head of the proper request with these headers instead, and no body yet. */
function head(operation: BodyOperation, headers: [string, string][]): Buffer {
  return bytesOf({ ...target.request(operation, { headers }), body: undefined })
}

test('A03: a body over 64 KiB is 413, to the byte', async () => {
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

test('A03: a large body that is only announced is 413 at once, and the connection closes', async () => {
  for (const operation of small) {
    const announced = head(operation, [['content-length', '1000000000']])
    const { answers, closed } = await exchange(target.service.baseUrl, announced)
    assert.equal(answers.length, 1)
    assertRefusal(answers[0]!, 'PAYLOAD_TOO_LARGE')
    assert.ok(closed)
  }
})

test('A03: a body without a length is 413 as soon as it passes the cap; ten megabytes leave no trace in memory', async () => {
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

test('A03: a caller who is refused at an earlier gate hears that, however large the body', async () => {
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

test('A15: bytes that are no UTF-8 are refused, everywhere in the body', async () => {
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"nickname":"'), Buffer.from(bytes), Buffer.from('"}')])
  const bodies = [
    Buffer.from([0xff, 0xfe]),
    around([0xff, 0xfe]),
    around([0xc0, 0xaf]), // an overlong slash
    around([0xe0, 0x80, 0xaf]),
    around([0xf0, 0x82, 0x82, 0xac]),
    around([0xed, 0xa0, 0x80]), // a surrogate, encoded
    around([0xf4, 0x90, 0x80, 0x80]), // beyond U+10FFFF
    around([0xe2, 0x82]), // cut short
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

test('A15: a byte order mark is no JSON', async () => {
  await target.unchanged(async () => {
    for (const operation of bodyOperations) {
      const body = `\ufeff${JSON.stringify(target.bodies[operation])}`
      assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { body: 'Invalid JSON' })
    }
  })
})

const withType = (operation: BodyOperation, type: string, body?: string): Promise<WireAnswer> =>
  target.send(operation, { headers: [['content-type', type]], ...(body !== undefined && { body }) })

test('A17: only application/json is taken', async () => {
  const types = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json+xml',
    'application/vnd.api+json',
    'application/merge-patch+json',
    'application/json, text/plain',
    'application/json/',
    'application',
    'application json',
    '*/*',
    '/',
    ';',
    '',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; boundary=x',
    'application/json; charset',
    'application/json; charset="utf-8',
    'application/\u00a0json',
    `application/json;${' '.repeat(5000)}x`,
  ]
  await target.unchanged(async () => {
    for (const operation of bodyOperations) {
      for (const type of types) assertRefusal(await withType(operation, type), 'UNSUPPORTED_MEDIA_TYPE')
      const { headers = [], ...request } = target.request(operation)
      const untyped = headers.filter(([name]) => name !== 'content-type')
      assertRefusal(await send(target.service.baseUrl, { ...request, headers: untyped }), 'UNSUPPORTED_MEDIA_TYPE')
    }
  })
})

test('A17: two media types are no media type, whichever comes first', async () => {
  await target.unchanged(async () => {
    for (const types of [
      ['application/json', 'text/plain'],
      ['text/plain', 'application/json'],
      ['application/json', 'application/json'],
    ]) {
      const headers = types.map((type) => ['content-type', type] as [string, string])
      for (const operation of bodyOperations)
        assertRefusal(await target.send(operation, { headers }), 'UNSUPPORTED_MEDIA_TYPE')
    }
  })
})

test('A17: without a body nobody asks for its type', async () => {
  for (const type of ['text/plain', 'multipart/form-data', 'no type at all', '']) {
    assertRefusal(await withType('resendOtp', type, ''), 'VALIDATION_ERROR', { id: 'Required', scope: 'Required' })
    assertRefusal(await withType('updateProfile', type, ''), 'VALIDATION_ERROR', { body: 'Required' })
  }
})

test('A18: every spelling of application/json that is taken is judged alike', async () => {
  const spellings = [
    'application/json',
    ' application/json',
    '\tapplication/json',
    'application/json ;',
    'application/json;',
    'APPLICATION/JSON',
    'Application/Json; Charset=UTF-8',
    'application/json;charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json\t; charset = utf-8 ',
  ]
  await target.unchanged(async () => {
    for (const type of spellings) {
      const answers = [
        await withType('resendOtp', type, '{"id":7}'),
        await withType('challenge', type, '{"step":7}'),
      ] as const
      assertRefusal(answers[0], 'VALIDATION_ERROR', { id: 'Expected string, received number', scope: 'Required' })
      assertRefusal(answers[1], 'VALIDATION_ERROR', { step: 'Invalid enum value' })
      assertRefusal(await withType('updateProfile', type, '{"nickname":7}'), 'VALIDATION_ERROR', {
        nickname: 'Expected string, received number',
      })
    }
  })
})

test('A19: any content encoding but identity is 415, bomb or not, and nothing is unpacked', async () => {
  const json = JSON.stringify(target.bodies.challenge)
  const bomb = gzipSync(Buffer.alloc(50_000 * KiB))
  const encodings: [string, Buffer | string][] = [
    ['gzip', bomb],
    ['gzip', gzipSync(json)],
    ['gzip', json],
    ['br', json],
    ['zstd', json],
    ['deflate', json],
    ['identity, gzip', json],
    ['gzip, identity', json],
    ['none', json],
    ['', json],
  ]
  const memory = process.memoryUsage().rss
  await target.unchanged(async () => {
    for (const [encoding, body] of encodings) {
      assertRefusal(
        await target.send('challenge', { body, headers: [['content-encoding', encoding]] }),
        'UNSUPPORTED_MEDIA_TYPE',
      )
    }
  })
  assert.ok(process.memoryUsage().rss - memory < 20_000 * KiB)
})

test('A19: identity is no encoding', async () => {
  for (const encoding of ['identity', ' Identity ']) {
    assertSuccess(await target.send('updateProfile', { headers: [['content-encoding', encoding]] }), 200)
  }
})
