import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeliveryJob, MessageTransport } from '../../server/delivery/message-transport.ts'
import { storedMessages, storedRow, writeStored } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'otp_signin'
const email = 'jane@example.com'

/** A provider controlled by the test, which records accepted messages. */
let provider: (job: DeliveryJob) => Promise<void> = async () => {}
const attempts: { readonly at: number; readonly otpId: string | null; readonly code: string | null }[] = []
const transport: MessageTransport = {
  canDeliver: () => true,
  async deliver(job, now) {
    attempts.push({ at: now, otpId: job.message.otpId, code: job.code })
    await provider(job)
    return {}
  },
}
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ transport })
  tenant = await service.addTenant()
})
after(() => service.close())

const drain = () => service.service.services.delivery.drain()
const attemptsFor = (id: string) => attempts.filter(({ otpId }) => otpId === id)
const deliveryOf = async (id: string) => (await tenant.client.getOtpStatus({ id, scope })).delivery
const outage = async () => {
  throw new TypeError('connect ECONNREFUSED smtp.example.com:587')
}

test('responds without waiting for the provider', async () => {
  const hanging = Promise.withResolvers<void>()
  provider = () => hanging.promise
  const { id } = await tenant.client.issueOtp({ scope, email })
  assert.equal(await deliveryOf(id), 'queued')
  hanging.resolve()
  await drain()
  assert.equal(await deliveryOf(id), 'sent')
  assert.equal(attemptsFor(id).length, 1)
})

test('retries the same code with backoff until the provider accepts it', async () => {
  provider = outage
  const { id } = await tenant.client.issueOtp({ scope, email })
  await drain()
  assert.equal(await deliveryOf(id), 'queued')
  const start = service.clock.now()
  // Backoff with jitter: one second, doubled each time, plus or minus a quarter. No attempt is made earlier.
  for (let failed = 1; failed <= 5; failed++) {
    const shortest = 750 * 2 ** (failed - 1)
    service.clock.advance(shortest - 1)
    await drain()
    assert.equal(attemptsFor(id).length, failed, `too early after attempt ${failed}`)
    service.clock.advance(shortest)
    await drain()
    assert.equal(attemptsFor(id).length, failed + 1)
  }
  provider = async () => {}
  service.clock.advance(60_000)
  await drain()
  assert.equal(await deliveryOf(id), 'sent')
  service.clock.advance(600_000)
  await drain()
  const made = attemptsFor(id)
  assert.equal(made.length, 7)
  assert.equal(new Set(made.map(({ code }) => code)).size, 1)
  assert.ok(made.at(-1)!.at - start < 600_000)
  const [row] = storedMessages(service, id)
  assert.deepEqual([row?.['state'], row?.['attempts']], ['sent', 7])
})

test('marks a message as failed when the provider fails until the code expires', async () => {
  provider = outage
  const { id, expiresAt } = await tenant.client.issueOtp({ scope, email })
  await drain()
  while (service.clock.now() < Date.parse(expiresAt) + 120_000) {
    service.clock.advance(5_000)
    await drain()
  }
  assert.equal(await deliveryOf(id), 'failed')
  const last = attemptsFor(id).at(-1)!.at
  assert.ok(last < Date.parse(expiresAt) && last > Date.parse(expiresAt) - 150_000, 'the attempts stopped too early')
  const [row] = storedMessages(service, id)
  assert.deepEqual([row?.['state'], row?.['due_at']], ['failed', null])
  assert.doesNotMatch(String(row?.['last_error']), /\d{6}|smtp\.example/)
})

test('does not send a message whose code has expired', async () => {
  provider = outage
  const { id, expiresAt } = await tenant.client.issueOtp({ scope, email })
  await drain()
  provider = async () => {}
  service.clock.set(Date.parse(expiresAt))
  await drain()
  assert.equal(attemptsFor(id).length, 1)
  assert.equal(await deliveryOf(id), 'failed')
})

test('cancels a message whose one-time password was verified', async () => {
  const { id } = await tenant.client.issueOtp({ scope, email })
  provider = async () => {}
  await drain()
  const code = attemptsFor(id)[0]!.code!
  provider = outage
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id, scope })
  await drain()
  await tenant.client.verifyOtp({ id, scope, code })
  provider = async () => {}
  service.clock.advance(60_000)
  await drain()
  assert.equal(attemptsFor(id).length, 2)
  assert.deepEqual(
    storedMessages(service, id).map(({ state }) => state),
    ['sent', 'cancelled'],
  )
})

test('sends no queued message of a deleted user', async () => {
  provider = outage
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await drain()
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  provider = async () => {}
  service.clock.advance(60_000)
  await drain()
  assert.equal(attemptsFor(id).length, 1)
  assert.equal(storedMessages(service, id)[0]!['state'], 'cancelled')
})

test('sends other messages when one fails', async () => {
  const refusedOnly = 'refused@example.com'
  provider = async ({ message }) => {
    if (message.recipient === refusedOnly) throw new Error('550 no such user')
  }
  const { id: failing } = await tenant.client.issueOtp({ scope, email: refusedOnly })
  const { id: fine } = await tenant.client.issueOtp({ scope, email })
  await drain()
  assert.deepEqual([await deliveryOf(failing), await deliveryOf(fine)], ['queued', 'sent'])
  const logged = service.log.filter((line) => line.includes(storedMessages(service, failing)[0]!['id'] as string))
  assert.match(logged.join(), /"state":"queued","problem":"Error","msg":"failed to deliver a message"/)
})

test('takes over a message when the lease of a crashed process expires', async () => {
  provider = outage
  const { id } = await tenant.client.issueOtp({ scope, email })
  await drain()
  const claim = "UPDATE outbox SET state = 'sending', lease_owner = 'a process that died', due_at = ? WHERE otp_id = ?"
  await writeStored(service, claim, service.clock.now() + 30_000, id)
  provider = async () => {}
  service.clock.advance(29_999)
  await drain()
  assert.equal(attemptsFor(id).length, 1)
  assert.equal(await deliveryOf(id), 'queued')
  service.clock.advance(1)
  await drain()
  assert.equal(attemptsFor(id).length, 2)
  assert.equal(await deliveryOf(id), 'sent')
})

test('does not send a notice after a day', async () => {
  provider = async () => {}
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await drain()
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: attemptsFor(id)[0]!.code! })
  provider = outage
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
  await drain()
  provider = async () => {}
  service.clock.advance(86_400_000)
  await drain()
  const notices = attempts.filter(({ otpId }) => otpId === null)
  assert.deepEqual(
    notices.map(({ code }) => code),
    [null],
  )
  const find = "SELECT state FROM outbox WHERE kind = 'password_changed' AND user_id = ?"
  assert.deepEqual(storedRow(service, find, person.userId), { state: 'failed' })
})

test('waits at most 75 s between two attempts', async () => {
  provider = outage
  const { id } = await tenant.client.issueOtp({ scope, email })
  await drain()
  await writeStored(service, 'UPDATE outbox SET attempts = 10 WHERE otp_id = ?', id)
  service.clock.advance(2_000)
  await drain()
  const { state, due_at } = storedMessages(service, id)[0]!
  assert.equal(state, 'queued')
  const wait = Number(due_at) - service.clock.now()
  assert.ok(wait >= 45_000 && wait <= 75_000, `${wait} ms`)
})

test('gives up after six thousand attempts, because the message may crash the process', async () => {
  provider = outage
  const { id } = await tenant.client.issueOtp({ scope, email })
  await drain()
  await writeStored(service, 'UPDATE outbox SET attempts = 6000 WHERE otp_id = ?', id)
  service.clock.advance(2_000)
  await drain()
  assert.equal(attemptsFor(id).length, 1)
  assert.equal(await deliveryOf(id), 'failed')
})

test('sends the queued messages of a suspended tenant (DELIVERY-10)', async () => {
  provider = outage
  const suspended = await service.addTenant()
  const { id } = await suspended.client.issueOtp({ scope, email })
  await drain()
  await service.admin.updateTenant(suspended, { suspended: true })
  provider = async () => {}
  service.clock.advance(2_000)
  await drain()
  assert.equal(storedMessages(service, id)[0]!['state'], 'sent')
})

test('sends no queued message of a deleted tenant (DELIVERY-10)', async () => {
  provider = outage
  const { tenantId, client } = await service.addTenant()
  const { id } = await client.issueOtp({ scope, email })
  await drain()
  await service.admin.deleteTenant({ tenantId })
  provider = async () => {}
  service.clock.advance(2_000)
  await drain()
  assert.equal(attemptsFor(id).length, 1)
  assert.equal(storedMessages(service, id)[0]!['state'], 'cancelled')
})
