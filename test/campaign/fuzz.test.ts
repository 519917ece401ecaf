import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSize } from '../support/sample-size.ts'
import type { WireAnswer } from '../support/wire-answer.ts'
import { fuzz } from './fuzz.ts'
import { judge } from './fuzz-oracle.ts'
import type { FuzzRequest } from './fuzz-request.ts'

const seed = 20260115
const requests = sampleSize(8_000, 4_000)

test(`${requests} generated requests: every answer is one that the contract allows`, async (context) => {
  const { failures, broken, statuses, outcomes, requests: sent } = await fuzz(seed, requests)
  context.diagnostic(
    `seed ${seed}: ${sent} requests, ${broken} of them broken byte by byte, ${outcomes.size} different outcomes`,
  )
  assert.deepEqual(failures, [])
  assert.equal(sent, requests)
  // The fuzzer comes through to the operations: what is always refused at the door proves little.
  const reached = [...outcomes.keys()].filter((outcome) => / 20[014]$/.test(outcome))
  assert.ok(reached.length >= 54, reached.join())
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429]) {
    assert.ok(statuses.has(status), `no answer was ${status}`)
  }
})

const request: FuzzRequest = {
  bytes: Buffer.alloc(0),
  method: 'POST',
  operation: 'resendOtp',
  isBroken: false,
  sound: true,
}
const meta = { requestId: 'r', timestamp: '2026-01-15T12:00:00.000Z' }

function answer(status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer {
  const type = 'application/json; charset=utf-8'
  const all = { 'content-type': type, 'x-request-id': 'r', 'cache-control': 'no-store', ...headers }
  return { status, headers: all, text: JSON.stringify(body), json: () => body }
}

const refusal = (code: string, status: number, message: string, more: object = {}) =>
  answer(status, { meta, error: { message, code, status, ...more } })
const invalid = 'The request is invalid. See error.validation for the message of each field.'
const notFound = 'The one-time password does not exist or has expired. Request a new one.'

test('the judge of answers lets good ones pass', () => {
  assert.equal(judge(request, answer(201, { meta, data: { success: true } })), null)
  assert.equal(judge(request, refusal('OTP_NOT_FOUND', 404, notFound)), null)
  assert.equal(judge(request, refusal('VALIDATION_ERROR', 400, invalid, { validation: { id: 'Required' } })), null)
})

const bad: Record<string, WireAnswer> = {
  'a 500': refusal('INTERNAL_SERVER', 500, 'An internal error occurred. If it persists, report the request id.'),
  'a 500 that only an unconfigured tenant explains': refusal(
    'TENANT_NOT_CONFIGURED',
    500,
    "The tenant's configuration is missing or invalid. The operator of the service must correct it.",
  ),
  'a code that the operation does not declare': refusal('USER_NOT_FOUND', 404, 'The tenant has no user with this id.'),
  'a code that nobody declares': refusal('OOPS', 404, notFound),
  'a message of its own': refusal('OTP_NOT_FOUND', 404, 'ENOENT'),
  'a status beside its code’s': refusal('OTP_NOT_FOUND', 400, notFound),
  'a key too many in the error': refusal('OTP_NOT_FOUND', 404, notFound, { stack: 'at x (y.ts:1:1)' }),
  'a key too many beside the error': answer(404, {
    meta,
    error: { message: notFound, code: 'OTP_NOT_FOUND', status: 404 },
    statusCode: 404,
  }),
  'validation missing': refusal('VALIDATION_ERROR', 400, invalid),
  'validation where none belongs': refusal('OTP_NOT_FOUND', 404, notFound, { validation: {} }),
  'insides in a validation message': refusal('VALIDATION_ERROR', 400, invalid, {
    validation: { id: 'SQLITE_CONSTRAINT: otps.id' },
  }),
  'a success of another shape': answer(201, { meta, data: { success: true, code: '123456' } }),
  'a success of another status': answer(200, { meta, data: { success: true } }),
  'a success without the envelope': answer(201, { success: true }),
  'another request id in the header': answer(201, { meta, data: { success: true } }, { 'x-request-id': 's' }),
  'a server header': answer(201, { meta, data: { success: true } }, { server: 'x' }),
  'another media type': answer(201, { meta, data: { success: true } }, { 'content-type': 'text/html' }),
  'a refusal that can be stored': refusal('OTP_NOT_FOUND', 404, notFound),
}
Object.assign(bad['a refusal that can be stored']!.headers, { 'cache-control': 'public' })

for (const [name, wrong] of Object.entries(bad)) {
  test(`the judge of answers finds ${name}`, () => {
    assert.notEqual(judge(request, wrong), null)
  })
}
