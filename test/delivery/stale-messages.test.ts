import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMail } from '../support/delivery/received-mail.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import type { SmtpStep } from '../support/peers/smtp-peer.ts'
import { addPerson } from '../support/person.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

const scope = 'otp_signin'

/** A service whose mail server answers nothing until `release`, with a lane that sends as many messages as it may. */
async function startHanging() {
  const { promise: hangUntil, resolve: release } = Promise.withResolvers<void>()
  const peer = await startMailServer({ hangAt: 'data', hangUntil })
  const statements: string[] = []
  let isBroken = false
  const onStatement = (name: string) => {
    statements.push(name)
    if (isBroken && name === 'outbox.readAgain') throw new Error('broken on purpose')
  }
  const service = await startSendingService([deploymentSmtp(peer, { connections: 16 })], { hooks: { onStatement } })
  const tenant = await service.addTenant()
  return {
    ...{ peer, service, tenant, statements, release },
    fail: (broken: boolean) => {
      isBroken = broken
    },
    mailsTo: (address: string) => peer.received.filter(({ to }) => to.includes(address)).map(readMail),
    [Symbol.asyncDispose]: async () => {
      release()
      await service.close()
    },
  }
}

async function fillLane({ client }: TestTenant): Promise<void> {
  for (let person = 0; person < 16; person++) await client.issueOtp({ scope, email: `other-${person}@example.org` })
}

const readAgain = (statements: readonly string[]) => statements.filter((name) => name === 'outbox.readAgain').length
const stateOf = (service: TestService, otpId: string) => messageOf(service, otpId)['state']

test('sends no code that was cancelled, or whose user was deleted, while its message waited', async () => {
  await using hanging = await startHanging()
  const { peer, service, tenant, statements, release, mailsTo } = hanging
  const [changing, leaving, patient] = [
    await addPerson(service, tenant),
    await addPerson(service, tenant),
    await addPerson(service, tenant),
  ]
  const client = await changing.client()
  await fillLane(tenant)
  await until(() => peer.received.length === 16)
  assert.equal(readAgain(statements), 0, 'messages that are sent at once')

  const [cancelled, erased, pending] = [
    await changing.issue('reset_password'),
    await leaving.issue('reset_password'),
    await patient.issue('reset_password'),
  ]
  await client.changePassword({ currentPassword: changing.password, password: 'another horse' })
  await service.admin.deleteUser({ ...tenant, userId: leaving.userId })
  service.clock.advance(100)
  release()
  await drain(service)

  assert.equal(readAgain(statements), 3)
  assert.deepEqual([stateOf(service, cancelled.id), stateOf(service, erased.id)], ['cancelled', 'cancelled'])
  assert.deepEqual(
    [...mailsTo(changing.email), ...mailsTo(leaving.email)].filter(({ code }) => code !== undefined),
    [],
  )
  const [mail, ...more] = mailsTo(patient.email)
  assert.deepEqual([stateOf(service, pending.id), more], ['sent', []])
  await tenant.client.verifyOtp({ id: pending.id, scope: 'reset_password', code: mail!.code! })
})

test('sends a message that could not be read again once its lease has expired', async () => {
  await using hanging = await startHanging()
  const { peer, service, tenant, statements, release, fail, mailsTo } = hanging
  await fillLane(tenant)
  await until(() => peer.received.length === 16)
  const email = 'waiting@example.org'
  const { id } = await tenant.client.issueOtp({ scope, email })
  service.clock.advance(1_000)
  fail(true)
  release()
  await until(() => readAgain(statements) === 1)
  fail(false)
  await drain(service)
  assert.deepEqual([stateOf(service, id), mailsTo(email).length], ['sending', 0])
  service.clock.advance(59_000)
  await drain(service)
  assert.deepEqual([stateOf(service, id), mailsTo(email).length], ['sent', 1])
})

test('sends no code that expires while the mail server hangs', async () => {
  const { promise: hangUntil, resolve: release } = Promise.withResolvers<void>()
  const refuse: { at: SmtpStep; code: number } = { at: 'banner', code: 421 }
  const peer = await startMailServer({ refuse, hangAt: 'mail', hangUntil })
  await using service = await startSendingService([deploymentSmtp(peer)])
  const { client } = await service.addTenant()
  const { id, expiresAt } = await client.issueOtp({ scope, email: 'jane@example.org' })
  await drain(service)
  assert.equal(stateOf(service, id), 'queued')
  refuse.at = 'auth' // The service does not authenticate there, so the server hangs from now on.
  service.clock.set(Date.parse(expiresAt) - 100)
  service.service.services.delivery.wake()
  // The server answers two seconds after the code has expired, at most.
  await until(() => stateOf(service, id) === 'failed', 2_100).catch(() => {})
  release()
  await drain(service)
  assert.deepEqual(peer.received, [])
  assert.match(String(messageOf(service, id)['last_error']), /^No attempt succeeded before it expired: smtp: /)
})
