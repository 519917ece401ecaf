import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLocalRateLimiter } from '../../server/limits/local-rate-limiter.ts'
import { storedMessages, storedOtp, storedRow } from '../support/databases/stored-rows.ts'
import { finishErasures } from '../support/events/finish-erasures.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** Runs once, after a challenge has found its user and before its one-time password is stored. */
let meanwhile: (() => Promise<unknown>) | null = null
let service: TestService
let tenant: TestTenant

const counting = createLocalRateLimiter()
const limiter = {
  ...counting,
  async take(...asked: Parameters<typeof counting.take>) {
    const work = meanwhile
    meanwhile = null
    await work?.()
    return counting.take(...asked)
  },
}

before(async () => {
  service = await startTestService({ limiter, limitsText: 'all=off,codes-per-recipient=100/h' })
  tenant = await service.addTenant()
})
after(() => service.close())

test('a challenge during an address change gives the old mailbox no way to a password', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const change = await client.changeEmail({ email: 'moved@example.com' })
  const code = await service.codeOf(change.id)
  meanwhile = () => tenant.client.verifyOtp({ id: change.id, scope: 'email_verification', code })
  const token = await person.verified('reset_password')
  assert.equal(storedOtp(service, token)['recipient'], person.email)
  const before = storedRow(service, 'SELECT * FROM users WHERE id = ?', person.userId)
  assert.equal(before['email'], 'moved@example.com')

  const confirm = { step: 'confirm', token, password: 'of the old mailbox' } as const
  await refused(tenant.client.resetPassword(confirm), 'OTP_NOT_CONSUMABLE')
  assert.deepEqual(storedRow(service, 'SELECT * FROM users WHERE id = ?', person.userId), before)
  assert.equal(storedOtp(service, token)['state'], 'verified')
  await client.getAccount()
})

test('no live code and no address remain of a challenge during the deletion of its user (ACCOUNT-8)', async () => {
  const person = await addPerson(service, tenant)
  meanwhile = () => service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: person.email })
  await finishErasures(service)
  const { state, recipient } = storedOtp(service, id)
  assert.deepEqual([state, recipient], ['cancelled', ''])
  assert.deepEqual(
    storedMessages(service, id).map((message) => message['recipient']),
    [''],
  )
})
