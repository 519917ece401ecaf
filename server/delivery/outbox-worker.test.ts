import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { storedMessages, storedRows } from '../../test/support/databases/stored-rows.ts'
import { fullRunsOnly } from '../../test/support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { ulid } from '../core/ids.ts'
import { newOtp } from '../otp/new-otp.ts'
import { sendMessage } from '../otp/send-message.ts'
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

test('holds at most two thousand messages', fullRunsOnly, async () => {
  await using service = await startTestService()
  const hang: MessageTransport['deliver'] = async (_job, _now, signal) => {
    // One that begins late is aborted already.
    if (!signal!.aborted) await once(signal!, 'abort')
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
  const sending = () => storedRows(service, "SELECT id FROM outbox WHERE state = 'sending' ORDER BY id").length
  worker.wake()
  await until(() => sending() >= 2_000)
  worker.wake()
  await pause(100)
  assert.equal(sending(), 2_000)
  await worker.stop()
  assert.equal(sending(), 0)
})

test('a process sends the codes it issues itself, without a claim', async () => {
  const statements: string[] = []
  await using service = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
  const { client } = await service.addTenant()
  await service.service.services.delivery.drain()
  statements.length = 0
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const [stored] = storedMessages(service, id)
  assert.deepEqual([stored?.['state'], stored?.['attempts']], ['sending', 1])
  assert.equal(stored?.['due_at'], service.clock.now() + 60_000)
  await until(() => storedMessages(service, id)[0]?.['state'] === 'sent')
  assert.ok(!statements.includes('outbox.claim'), 'no poll is due within a second')
  assert.equal(statements.filter((name) => name === 'outbox.post').length, 1)
  service.clock.advance(60_000)
  await client.resendOtp({ id, scope: 'otp_signin' })
  await service.service.services.delivery.drain()
  assert.deepEqual(
    storedMessages(service, id).map((message) => [message['state'], message['attempts']]),
    [
      ['sent', 1],
      ['sent', 1],
    ],
  )
})

test('new codes of a tenant whose messages wait are queued for any process', async () => {
  await using service = await startTestService()
  const release = Promise.withResolvers<void>()
  const worker = await startWorker(service, async () => {
    await release.promise
    return {}
  })
  const [busy, idle] = [await service.addTenant(), await service.addTenant()]
  const { clock, storage } = service.service.services
  const policy = { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 }
  const issue = async ({ tenantId }: TestTenant) => {
    const now = clock.now()
    const to = { scope: 'otp_signin', deliveryMethod: 'email', recipient: 'jane@example.com' } as const
    const otp = newOtp({ ...to, tenantId, userId: null, decoy: false }, policy, service.service.services.keyring, now)
    const message = worker.newMessage(tenantId, now)
    await storage.forTenant(tenantId).otps.issue(otp, message)
    sendMessage(worker, message, tenantId, otp)
    return message
  }
  // As many as go at once, and as many as may wait.
  const leased = await Promise.all(Array.from({ length: 16 + 128 }, () => issue(busy)))
  assert.ok(leased.every(({ lease }) => lease !== null))
  await until(() => worker.newMessage(busy.tenantId, clock.now()).lease === null)
  assert.notEqual(worker.newMessage(idle.tenantId, clock.now()).lease, null, 'another tenant is not affected')
  const queued = await issue(busy)
  assert.equal(queued.lease, null)
  const states = () => storedRows(service, 'SELECT state FROM outbox ORDER BY id').map(({ state }) => state)
  release.resolve()
  await until(() => states().every((state) => state === 'sent'))
  assert.equal(states().length, 16 + 128 + 1)
  await worker.stop()
  assert.equal(worker.newMessage(busy.tenantId, clock.now()).lease, null, 'a stopped worker sends nothing')
})
