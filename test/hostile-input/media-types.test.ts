import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { type BodyOperation, bodyOperations, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const KiB = 1024

const withType = (operation: BodyOperation, type: string, body?: string): Promise<WireAnswer> =>
  target.send(operation, { headers: [['content-type', type]], ...(body !== undefined && { body }) })

test('accepts only application/json (threat A17)', async () => {
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

test('rejects two Content-Type headers in either order (threat A17)', async () => {
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

test('ignores the content type of an empty body (threat A17)', async () => {
  for (const type of ['text/plain', 'multipart/form-data', 'no type at all', '']) {
    assertRefusal(await withType('resendOtp', type, ''), 'VALIDATION_ERROR', { id: 'Required', scope: 'Required' })
    assertRefusal(await withType('updateProfile', type, ''), 'VALIDATION_ERROR', { body: 'Required' })
  }
})

test('validates the body alike for every accepted spelling of application/json (threat A18)', async () => {
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

test('answers 415 to any content encoding except identity without decompressing (threat A19)', async () => {
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
  assert.ok(process.memoryUsage().rss - memory < 40_000 * KiB)
})

test('accepts the content encoding identity (threat A19)', async () => {
  for (const encoding of ['identity', ' Identity ']) {
    assertSuccess(await target.send('updateProfile', { headers: [['content-encoding', encoding]] }), 200)
  }
})
