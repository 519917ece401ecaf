import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestService } from './service.ts'

test('a request that is never sent to its end does not hold up closing', async () => {
  const service = await startTestService({ closingMs: 50 })
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  socket.write(
    'POST /otp/resend HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id"',
  )
  await fetch(`${service.baseUrl}/healthz`)
  const closed = once(socket, 'close')
  const begun = performance.now()
  await service.close()
  await closed
  assert.ok(performance.now() - begun < 5_000)
})
