import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { OutboxWorker } from '../../server/delivery/outbox-worker.ts'
import { send } from '../campaign/stops/stop-clients.ts'
import { storedMessages } from '../support/databases/stored-rows.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('a request that is never completed does not delay shutdown', async () => {
  const service = await startTestService({ shutdownTimeoutMs: 50 })
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

test('answers a request that arrives while the listener is closing', async () => {
  const service = await startTestService()
  const { server } = service.service.http
  const agent = new Agent({ keepAlive: true })
  const request = { method: 'GET', path: '/healthz' }
  await send(service.baseUrl, agent, request)
  const closed = service.close()
  const outcome = await send(service.baseUrl, agent, request)
  assert.equal(server.listening, false, 'an earlier answer would let its client open the next connection')
  assert.ok(outcome.kind === 'answered' && outcome.status === 200 && outcome.headers.connection === 'close')
  await closed
})

test('a sent message that cannot be recorded does not delay shutdown, and is recorded by the next attempt', async () => {
  let isAway = false
  const onStatement = (name: string) => {
    if (isAway && name.startsWith('outbox.')) throw new Error('the database is away')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { services } = service.service
  const { client } = await service.addTenant()
  await services.delivery.stop()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const ending = new OutboxWorker({
    ...services,
    outbox: services.storage.system.outbox,
    owner: 'ending',
    drainTimeoutMs: 10,
    findTenant: services.snapshots.find,
    transport: {
      canDeliver: () => true,
      async deliver() {
        isAway = true
        return {}
      },
    },
  })
  ending.start()
  await until(() => isAway)
  await ending.stop()
  assert.equal(storedMessages(service, id)[0]?.['state'], 'sending')

  isAway = false
  services.delivery.start()
  service.clock.advance(60_000)
  await services.delivery.drain()
  assert.equal(storedMessages(service, id)[0]?.['state'], 'sent')
})
