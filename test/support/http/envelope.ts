import assert from 'node:assert/strict'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { Failure } from '../../../contract/failure.ts'
import type { WireAnswer } from './wire-answer.ts'

/** Internals that no answer may reveal: stacks, statements, paths, libraries (threat A27). */
const insides =
  /\bat [\w.<>]+ \(|node:|node_modules|\/work\/|\.[tj]s\b|SELECT |INSERT |UPDATE |sqlite|fastify|FST_|HPE_|zod/i

interface FailureBody {
  readonly meta: { readonly requestId: string; readonly timestamp: string }
  readonly error: {
    readonly message: string
    readonly code: string
    readonly status: number
    readonly validation?: unknown
    readonly details?: Readonly<Record<string, { readonly rule: string }>>
    readonly missing?: string
  }
}

/**
 * Asserts that an answer is exactly this error in the envelope: its keys, headers and
 * status. `validation` is compared as a whole and belongs to VALIDATION_ERROR only; `details` has its fields or is absent.
 * The message of INSUFFICIENT_SCOPE ends with what is missing.
 */
export function assertRefusal(answer: WireAnswer, code: ErrorCode, validation?: Record<string, string>): void {
  assert.ok(answer.text.startsWith('{'), `${code} was expected, not ${answer.status} ${answer.text.slice(0, 200)}`)
  const body = answer.json() as FailureBody
  const text = JSON.stringify(body.error)
  assert.equal(body.error?.code, code, text)
  const { status, message } = errors[code]
  Failure.parse(body)
  const { details, missing, ...rest } = body.error
  const keys = code === 'VALIDATION_ERROR' ? ['code', 'message', 'status', 'validation'] : ['code', 'message', 'status']
  assert.deepEqual(Object.keys(body).sort(), ['error', 'meta'])
  assert.deepEqual(Object.keys(rest).sort(), keys)
  assert.equal(missing !== undefined, code === 'INSUFFICIENT_SCOPE', text)
  const told = missing === undefined ? message : `${message} Missing: ${missing}.`
  assert.deepEqual([answer.status, body.error.status, body.error.message], [status, status, told])
  if (code === 'VALIDATION_ERROR') assert.deepEqual(body.error.validation, validation, text)
  if (details !== undefined) assert.deepEqual(Object.keys(details).sort(), Object.keys(validation ?? {}).sort(), text)
  assert.doesNotMatch(text, insides)
  assertMeta(answer, body.meta)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

/** Asserts a success in the envelope and returns its data. */
export function assertSuccess(answer: WireAnswer, status: number): Record<string, unknown> {
  assert.equal(answer.status, status, answer.text.slice(0, 300))
  const body = answer.json() as { meta: FailureBody['meta']; data: Record<string, unknown> }
  assert.deepEqual(Object.keys(body).sort(), ['data', 'meta'])
  assertMeta(answer, body.meta)
  assert.equal(answer.headers['cache-control'], 'no-store')
  return body.data
}

/** Asserts `meta`, the request id in the header, and that no header names the server's software. */
function assertMeta(answer: WireAnswer, meta: FailureBody['meta']): void {
  assert.deepEqual(Object.keys(meta).sort(), ['requestId', 'timestamp'])
  assert.match(meta.requestId, /^[A-Za-z0-9._-]{1,64}$/)
  assert.match(meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(answer.headers['x-request-id'], meta.requestId)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(answer.headers['server'], undefined)
  assert.equal(answer.headers['x-powered-by'], undefined)
}
