import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireAnswer } from '../../support/http/wire-answer.ts'
import { fuzz } from './fuzz.ts'
import { judge } from './fuzz-oracle.ts'
import type { FuzzRequest } from './fuzz-request.ts'

const seed = 20260115
const requests = 6_000

test(`the contract allows every answer to ${requests} generated requests`, async (context) => {
  const { failures, broken, statuses, outcomes, requests: sent } = await fuzz(seed, requests)
  context.diagnostic(
    `seed ${seed}: ${sent} requests, ${broken} of them broken byte by byte, ${outcomes.size} different outcomes`,
  )
  assert.deepEqual(failures, [])
  assert.equal(sent, requests)
  // The fuzzer must reach the operations: requests that fail the request checks prove little.
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

test('the oracle accepts valid answers', () => {
  assert.equal(judge(request, answer(201, { meta, data: { success: true } })), null)
  assert.equal(judge(request, refusal('OTP_NOT_FOUND', 404, notFound)), null)
  assert.equal(judge(request, refusal('VALIDATION_ERROR', 400, invalid, { validation: { id: 'Required' } })), null)
})

const bad: Record<string, WireAnswer> = {
  'a 500': refusal('INTERNAL_SERVER', 500, 'An internal error occurred. If it persists, report the request id.'),
  'a 500 that is allowed only for an unconfigured tenant': refusal(
    'TENANT_NOT_CONFIGURED',
    500,
    "The tenant's configuration is missing or invalid. The operator of the service must correct it.",
  ),
  'a code that the operation does not declare': refusal('USER_NOT_FOUND', 404, 'The tenant has no user with this id.'),
  'an unknown code': refusal('OOPS', 404, notFound),
  'a message that is not the code’s': refusal('OTP_NOT_FOUND', 404, 'ENOENT'),
  'a status that is not the code’s': refusal('OTP_NOT_FOUND', 400, notFound),
  'an additional key in the error': refusal('OTP_NOT_FOUND', 404, notFound, { stack: 'at x (y.ts:1:1)' }),
  'an additional key beside the error': answer(404, {
    meta,
    error: { message: notFound, code: 'OTP_NOT_FOUND', status: 404 },
    statusCode: 404,
  }),
  'missing validation': refusal('VALIDATION_ERROR', 400, invalid),
  'validation without VALIDATION_ERROR': refusal('OTP_NOT_FOUND', 404, notFound, { validation: {} }),
  'internals in a validation message': refusal('VALIDATION_ERROR', 400, invalid, {
    validation: { id: 'SQLITE_CONSTRAINT: otps.id' },
  }),
  'a success of another shape': answer(201, { meta, data: { success: true, code: '123456' } }),
  'a success of another status': answer(200, { meta, data: { success: true } }),
  'a success without the envelope': answer(201, { success: true }),
  'a different request id in the header': answer(201, { meta, data: { success: true } }, { 'x-request-id': 's' }),
  'a server header': answer(201, { meta, data: { success: true } }, { server: 'x' }),
  'another media type': answer(201, { meta, data: { success: true } }, { 'content-type': 'text/html' }),
  'a refusal that can be cached': refusal('OTP_NOT_FOUND', 404, notFound),
}
Object.assign(bad['a refusal that can be cached']!.headers, { 'cache-control': 'public' })

for (const [name, wrong] of Object.entries(bad)) {
  test(`the oracle rejects ${name}`, () => {
    assert.notEqual(judge(request, wrong), null)
  })
}
