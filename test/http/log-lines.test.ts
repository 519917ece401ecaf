import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { isUlid } from '../../server/core/ids.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService } from '../support/service.ts'

const hostile = [
  'x\r\n{"level":60,"msg":"forged"}',
  '\u001b[31mred\u001b[0m\u0007',
  '"},{"level":60,"msg":"forged"}',
  '\u2028\u2029\u0000',
  'x'.repeat(1_000_000),
]

test('writes each log event as one line with one JSON object, for hostile input and any error', async () => {
  let message = ''
  const onStatement = (name: string) => {
    if (message !== '' && name === 'otp.find') throw new Error(message)
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { key } = await service.addTenant()
  const before = service.log.length
  for (const text of hostile) {
    message = text
    const headers = { 'user-agent': encodeURIComponent(text).slice(0, 1000), 'x-request-id': '"}{"level":60' }
    const body = { id: text.slice(0, 1000).replaceAll('\u0000', '0'), scope: 'otp_signin' }
    const answer = await request(service, 'POST /otp/status', { key, headers, body })
    assert.equal(answer.body.error.code, 'INTERNAL_SERVER')
    assert.ok(isUlid(answer.body.meta.requestId), 'a malformed request id is replaced')
  }
  const lines = service.log.slice(before)
  assert.equal(lines.length, hostile.length)
  for (const [index, line] of lines.entries()) {
    assert.match(line, /^\{[^\p{Cc}]*\}\n$/u)
    const event = JSON.parse(line)
    assert.deepEqual([event.level, event.msg, event.err.message], [50, 'unexpected error', hostile[index]])
    assert.equal(event.operation, '/otp/status')
  }
})

test('logs an error with its class and its causes, even circular ones, and no other properties', async () => {
  const inner: Error = new Error('inner error')
  inner.cause = new TypeError('outer error', { cause: inner })
  const onStatement = (name: string) => {
    if (name === 'otp.find') throw Object.assign(inner.cause as Error, { request: 'must not be logged' })
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { key } = await service.addTenant()
  await request(service, 'POST /otp/status', { key, body: { id: 'any', scope: 'otp_signin' } })
  const { err } = JSON.parse(service.log.at(-1) ?? '')
  assert.deepEqual(Object.keys(err), ['type', 'message', 'stack'])
  assert.equal(err.type, 'TypeError')
  assert.match(err.message, /^outer error: inner error: /)
  assert.match(err.stack, /^TypeError: outer error\n.*\ncaused by: Error: inner error\n/s)
})

test('logs errors of background jobs the same way', async () => {
  const onStatement = (name: string) => {
    const values = { detail: 'Key (email)=(jane@example.com) already exists.' }
    if (name.endsWith('outbox.claim')) throw Object.assign(new Error('broken on purpose'), values)
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { client } = await service.addTenant()
  await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const errorLine = () => service.log.find((line) => line.includes('broken on purpose'))
  while (errorLine() === undefined) await new Promise((resolve) => setImmediate(resolve))
  const { err, msg } = JSON.parse(errorLine()!)
  assert.match(msg, /outbox/)
  assert.deepEqual(Object.keys(err), ['type', 'message', 'stack'])
})

test('logs the request id of the answer, once', async () => {
  const onStatement = (name: string) => {
    if (name === 'otp.find') throw new Error('broken on purpose')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { key } = await service.addTenant()
  const body = { id: 'any', scope: 'otp_signin' }
  const answer = await request(service, 'POST /otp/status', { key, body, headers: { 'x-request-id': 'ticket-7' } })
  assert.deepEqual([answer.headers.get('x-request-id'), answer.body.meta.requestId], ['ticket-7', 'ticket-7'])
  const line = service.log.at(-1) ?? ''
  assert.equal(JSON.parse(line).requestId, 'ticket-7')
  assert.equal(line.match(/ticket-7/g)?.length, 1)
})

test('logs no unexpected error when a client disconnects before its body has arrived', async () => {
  const service = await startTestService()
  const tenant = await service.addTenant()
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  const head = `POST /otp/resend HTTP/1.1\r\nhost: x\r\nx-tenant-key: ${tenant.key}\r\ncontent-type: application/json`
  await new Promise((written) => socket.write(`${head}\r\ncontent-length: 100\r\n\r\n{"id"`, written))
  await fetch(`${service.baseUrl}/healthz`)
  socket.destroy()
  await service.close()
  assert.doesNotMatch(service.log.join(), /unexpected error/)
})
