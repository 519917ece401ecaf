import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { isUlid } from '../../server/core/ids.ts'
import { request } from '../support/raw-request.ts'
import { startTestService } from '../support/service.ts'

const hostile = [
  'x\r\n{"level":60,"msg":"forged"}',
  '\u001b[31mred\u001b[0m\u0007',
  '"},{"level":60,"msg":"forged"}',
  '\u2028\u2029\u0000',
  'x'.repeat(1_000_000),
]

test('whatever a request holds and whatever breaks, a log event is one line and one JSON object of our own making', async () => {
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
    assert.ok(isUlid(answer.body.meta.requestId), 'a request id of no sane form is replaced')
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

test('an error is told with its class and its causes, however they go round, and with nothing else it carries', async () => {
  const inner: Error = new Error('the reason')
  inner.cause = new TypeError('what came of it', { cause: inner })
  const onStatement = (name: string) => {
    if (name === 'otp.find') throw Object.assign(inner.cause as Error, { request: 'not to be told' })
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { key } = await service.addTenant()
  await request(service, 'POST /otp/status', { key, body: { id: 'any', scope: 'otp_signin' } })
  const { err } = JSON.parse(service.log.at(-1) ?? '')
  assert.deepEqual(Object.keys(err), ['type', 'message', 'stack'])
  assert.equal(err.type, 'TypeError')
  assert.match(err.message, /^what came of it: the reason: /)
  assert.match(err.stack, /^TypeError: what came of it\n.*\ncaused by: Error: the reason\n/s)
})

test('what breaks beside the requests is told no otherwise', async () => {
  const onStatement = (name: string) => {
    const values = { detail: 'Key (email)=(jane@example.com) already exists.' }
    if (name.endsWith('outbox.claim')) throw Object.assign(new Error('broken on purpose'), values)
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { client } = await service.addTenant()
  await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const told = () => service.log.find((line) => line.includes('broken on purpose'))
  while (told() === undefined) await new Promise((resolve) => setImmediate(resolve))
  const { err, msg } = JSON.parse(told()!)
  assert.match(msg, /outbox/)
  assert.deepEqual(Object.keys(err), ['type', 'message', 'stack'])
})

test('the log tells the request id that the answer told, so that one finds the other', async () => {
  const onStatement = (name: string) => {
    if (name === 'otp.find') throw new Error('broken on purpose')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { key } = await service.addTenant()
  const body = { id: 'any', scope: 'otp_signin' }
  const answer = await request(service, 'POST /otp/status', { key, body, headers: { 'x-request-id': 'ticket-7' } })
  assert.deepEqual([answer.headers.get('x-request-id'), answer.body.meta.requestId], ['ticket-7', 'ticket-7'])
  assert.equal(JSON.parse(service.log.at(-1) ?? '').requestId, 'ticket-7')
})

test('a client that goes away before its body has arrived is nothing unexpected', async () => {
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
