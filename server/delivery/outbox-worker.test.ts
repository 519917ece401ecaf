import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryMethod } from '../../contract/otp.ts'
import { startTestService, type TestService, type TestTenant } from '../../test/support/service.ts'
import { storedMessages, storedRows } from '../../test/support/stored-rows.ts'
import { until } from '../../test/support/until.ts'
import { ulid } from '../core/ids.ts'
import type { MessageTransport } from './message-transport.ts'
import { OutboxWorker } from './outbox-worker.ts'
import { TemporaryFailure } from './provider.ts'

/** A worker of the test's own on the outbox of the service, whose own one is stopped. */
async function startWorker({ service: { services } }: TestService, deliver: MessageTransport['deliver']) {
  await services.delivery.stop()
  const worker = new OutboxWorker({
    ...services,
    outbox: services.storage.system.outbox,
    owner: 'test',
    drainTimeoutMs: 10,
    findTenant: services.snapshots.find,
    transport: { canDeliver: () => true, deliver },
  })
  worker.start()
  started.push(worker)
  return worker
}
/** None goes on after a test that failed. */
const started: OutboxWorker[] = []
after(() => Promise.all(started.map((worker) => worker.stop())))

test('does not abort messages sent after a restart of the worker', async () => {
  await using service = await startTestService()
  const { client } = await service.addTenant()
  const ends: string[] = []
  let hang: (signal: AbortSignal) => Promise<unknown> = (signal) => pause(100, undefined, { signal })
  const worker = await startWorker(service, async (_job, _now, signal) => {
    await hang(signal!).catch(() => {})
    ends.push(signal!.aborted ? 'given up' : 'taken')
    if (signal!.aborted) throw new TemporaryFailure('given up')
    return {}
  })
  await worker.stop()
  worker.start()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await worker.drain()
  assert.deepEqual(ends, ['taken'], 'by an end that had nothing to wait for')

  const begun = Promise.withResolvers<void>()
  hang = (signal) => {
    begun.resolve()
    return once(signal, 'abort')
  }
  service.clock.advance(60_000)
  await client.resendOtp({ id, scope: 'otp_signin' })
  worker.wake()
  await begun.promise
  await worker.stop()
  assert.equal(storedMessages(service, id).at(-1)?.['state'], 'queued')
  hang = async () => {}
  worker.start()
  service.clock.advance(10_000)
  await worker.drain()
  assert.deepEqual(ends, ['taken', 'given up', 'taken'], 'by an end that gave up')
  await worker.stop()
})

test('claims nothing while stopping', async () => {
  await using service = await startTestService()
  const { client } = await service.addTenant()
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const worker = await startWorker(service, async () => {
    begun.resolve()
    await release.promise
    return {}
  })
  const issue = () => client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const first = await issue()
  worker.wake()
  await begun.promise
  const ending = worker.stop()
  const second = await issue()
  await pause(50)
  release.resolve()
  await ending
  const states = [first, second].map(({ id }) => storedMessages(service, id)[0]?.['state'])
  assert.deepEqual(states, ['sent', 'queued'])
})

test('resolves pending drains when it stops', async () => {
  await using service = await startTestService()
  const worker = await startWorker(service, async () => ({}))
  const idle = worker.drain()
  await worker.stop()
  await idle
})

test('does not query a failing database for every queued message', async () => {
  let isAway = false
  let asked = 0
  const onStatement = () => {
    if (!isAway) return
    asked++
    throw new Error('the database is away')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const worker = await startWorker(service, async () => ({}))
  await worker.drain()
  isAway = true
  worker.wake()
  await until(() => asked > 0)
  asked = 0
  for (let message = 0; message < 100; message++) {
    worker.wake()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  assert.ok(asked <= 5, `${asked}`)
  assert.ok(service.log.some((line) => line.includes('failed to read or write the outbox')))
  isAway = false
  await worker.stop()
})

test('holds at most two thousand messages', async () => {
  await using service = await startTestService()
  const hang: MessageTransport['deliver'] = async (_job, _now, signal) => {
    await once(signal!, 'abort')
    throw new TemporaryFailure('given up')
  }
  const worker = await startWorker(service, hang)
  const tenants = await Promise.all(Array.from({ length: 63 }, () => service.addTenant()))
  const createdAt = service.clock.now()
  const notice = { kind: 'password_changed', otpId: null, userId: 'x', locale: 'en', createdAt } as const
  const expiresAt = createdAt + 600_000
  // As many as go at once, of every tenant and method: so none waits for its turn.
  const notify = ({ tenantId }: TestTenant, deliveryMethod: DeliveryMethod) => {
    const { messages } = service.service.services.storage.forTenant(tenantId)
    const add = () =>
      messages.notify({ ...notice, id: ulid(createdAt), deliveryMethod, recipient: '+33612345678', expiresAt })
    return Promise.all(Array.from({ length: 16 }, add))
  }
  for (const tenant of tenants) await Promise.all([notify(tenant, 'email'), notify(tenant, 'sms')])
  const sending = () => storedRows(service, "SELECT id FROM outbox WHERE state = 'sending'").length
  worker.wake()
  await until(() => sending() >= 2_000)
  worker.wake()
  await pause(100)
  assert.equal(sending(), 2_000)
  await worker.stop()
  assert.equal(sending(), 0)
})
