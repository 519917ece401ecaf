import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TenantryError } from '../../../packages/client/src/index.ts'
import { reasonOf } from './refusal-reasons.ts'

const refused = (requestId: string) =>
  new TenantryError(
    {
      meta: { requestId, timestamp: '2026-01-01T00:00:00.000Z' },
      error: { code: 'SERVICE_UNAVAILABLE', message: 'Try again', status: 503 },
    },
    503,
    new Headers(),
  )
const errorLine = (requestId: string, message: string) =>
  JSON.stringify({ level: 50, requestId, err: { message }, msg: 'unexpected error' })
const log = [errorLine('a', 'disk full'), errorLine('b', 'database is locked'), '{"level":30,"msg":"ready"}', '{"lev']

test('the reason of a refusal is the line about its request', () => {
  assert.equal(reasonOf(refused('a'), log.join('\n')), `503 SERVICE_UNAVAILABLE, request a: ${log[0]}`)
})

test('the last error stands for a request without a line', () => {
  const reason = `503 SERVICE_UNAVAILABLE, request c: no line about it; the last error is ${log[1]}`
  assert.equal(reasonOf(refused('c'), log.join('\n')), reason)
  assert.equal(reasonOf(refused('c'), ''), '503 SERVICE_UNAVAILABLE, request c: no errors in the log')
})

test('another failure is explained by the last error of the log', () => {
  assert.equal(reasonOf(new Error('not sealed in time'), log.join('\n')), `the log ends with ${log[1]}`)
  assert.equal(reasonOf(new Error('not sealed in time'), ''), '')
})
