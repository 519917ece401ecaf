import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import { changesNothing, storedMessages, storedOtp, writeStored } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'otp_signin'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const issue = ({ client } = tenant) => client.issueOtp({ scope, email: 'jane@example.com' })
const tenantWith = (otp: Record<string, number>) => service.addTenant({ configuration: { otp } })
const wrongCode = async (id: string) => ((await service.codeOf(id)) === '000000' ? '000001' : '000000')

test('resends the same code to the same recipient by the same method, for each scope', async () => {
  const person = await addPerson(service, tenant)
  for (const scope of OtpScope.options) {
    const { id } = await person.issue(scope)
    const code = await service.codeOf(id)
    const before = storedOtp(service, id)
    service.clock.advance(60_000)
    const answer = await request(service, 'POST /otp/resend', { key: tenant.key, body: { id, scope } })
    assert.equal(answer.status, 201)
    assert.deepEqual(Object.keys(answer.body), ['meta', 'data'])
    assert.deepEqual(answer.body.data, { success: true })

    assert.equal(await service.codeOf(id), code)
    assert.deepEqual(storedOtp(service, id), { ...before, resend_count: 1, last_sent_at: service.clock.now() })
    const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
    const sms = scope === 'phone_verification'
    const sending = { code, scope, deliveryMethod: sms ? 'sms' : 'email', recipient: sms ? person.phone : person.email }
    assert.deepEqual(
      messages.map(({ code, scope, deliveryMethod, recipient }) => ({ code, scope, deliveryMethod, recipient })),
      [sending, sending],
    )
  }
})

test('rejects a resend one millisecond early with the seconds to wait; each resend restarts the interval', async () => {
  const { id } = await issue()
  const atOnce = await changesNothing(service, () =>
    refused(tenant.client.resendOtp({ id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED'),
  )
  assert.equal(atOnce.retryAfter, 60)
  service.clock.advance(59_999)
  const early = await changesNothing(service, () =>
    refused(tenant.client.resendOtp({ id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED'),
  )
  assert.equal(early.retryAfter, 1)
  service.clock.advance(1)
  await tenant.client.resendOtp({ id, scope })
  await refused(tenant.client.resendOtp({ id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id, scope })
  assert.equal(storedMessages(service, id).length, 3)
})

test('an interval of 0 allows a resend at once', async () => {
  const eager = await tenantWith({ resendIntervalSeconds: 0 })
  const { id } = await issue(eager)
  await eager.client.resendOtp({ id, scope })
  await eager.client.resendOtp({ id, scope })
  assert.equal(storedOtp(service, id)['resend_count'], 2)
})

for (const maxResends of [0, 3, 20]) {
  test(`allows ${maxResends} resends when the maximum is ${maxResends}, for 1 + ${maxResends} messages`, async () => {
    const limited = await tenantWith({ maxResends, resendIntervalSeconds: 1 })
    const { id } = await issue(limited)
    for (let count = 0; count < maxResends; count++) {
      service.clock.advance(1000)
      await limited.client.resendOtp({ id, scope })
    }
    // Both errors apply; the interval is reported first.
    await refused(limited.client.resendOtp({ id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
    service.clock.advance(1000)
    await changesNothing(service, () => refused(limited.client.resendOtp({ id, scope }), 'OTP_MAX_RESENDS_REACHED'))
    assert.equal(storedMessages(service, id).length, 1 + maxResends)
    const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
    assert.equal(messages.length, 1 + maxResends)
  })
}

test('does not find an id that is unknown, malformed or spelled differently', async () => {
  const { id } = await issue()
  service.clock.advance(60_000)
  const others = ['01JZZZZZZZZZZZZZZZZZZZZZZZ', id.toLowerCase(), `${id}0`, id.slice(1), ` ${id}`, '%', 'no ULID', '🦊']
  await changesNothing(service, async () => {
    for (const other of others) await refused(tenant.client.resendOtp({ id: other, scope }), 'OTP_NOT_FOUND')
  })
})

test('does not find the id with another scope', async () => {
  const person = await addPerson(service, tenant)
  for (const own of OtpScope.options) {
    const { id } = await person.issue(own)
    service.clock.advance(60_000)
    await changesNothing(service, async () => {
      for (const scope of OtpScope.options) {
        if (scope !== own) await refused(tenant.client.resendOtp({ id, scope }), 'OTP_NOT_FOUND')
      }
    })
  }
})

test("reports each missing field and an unknown scope with the contract's message", async () => {
  const { id } = await issue()
  const resend = (body: object) => tenant.client.resendOtp(body as never)
  await changesNothing(service, async () => {
    await invalid(resend({}), { id: 'Required', scope: 'Required' })
    await invalid(resend({ id: '', scope }), { id: 'String must contain at least 1 character(s)' })
    await invalid(resend({ id, scope: 'sign_in' }), { scope: 'Invalid enum value' })
    await invalid(resend({ id: [id], scope: [scope] }), {
      id: 'Expected string, received array',
      scope: 'Invalid enum value',
    })
  })
})

test('does not resend what is not pending', async () => {
  const person = await addPerson(service, tenant)
  const verified = await person.verified('otp_signin')
  const consumed = await person.verified('reset_password')
  const { id: cancelled } = await person.issue('reset_password')
  await tenant.client.resetPassword({ step: 'confirm', token: consumed, password: 'a new password' })
  const { id: locked } = await issue()
  const code = await wrongCode(locked)
  for (let wrong = 0; wrong < 5; wrong++) {
    await refused(tenant.client.verifyOtp({ id: locked, scope, code }), 'OTP_INVALID_CODE')
  }
  service.clock.advance(60_000)
  await changesNothing(service, async () => {
    await refused(tenant.client.resendOtp({ id: verified, scope }), 'OTP_NOT_PENDING')
    await refused(tenant.client.resendOtp({ id: locked, scope }), 'OTP_NOT_PENDING')
    await refused(tenant.client.resendOtp({ id: consumed, scope: 'reset_password' }), 'OTP_NOT_PENDING')
    await refused(tenant.client.resendOtp({ id: cancelled, scope: 'reset_password' }), 'OTP_NOT_PENDING')
  })
})

test('delivers nothing more once the user is deleted', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  await service.codeOf(id)
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  service.clock.advance(60_000)
  await changesNothing(service, () =>
    refused(tenant.client.resendOtp({ id, scope: 'reset_password' }), 'OTP_NOT_PENDING'),
  )
})

test('resends in the last millisecond without extending the expiry; later the id is not found', async () => {
  const { id, expiresAt } = await issue()
  service.clock.set(Date.parse(expiresAt) - 1)
  await tenant.client.resendOtp({ id, scope })
  assert.equal(storedOtp(service, id)['expires_at'], Date.parse(expiresAt))
  service.clock.advance(1)
  await changesNothing(service, () => refused(tenant.client.resendOtp({ id, scope }), 'OTP_NOT_FOUND'))
})

test('a resend grants no further attempts: 4 wrong codes before it leave one after it', async () => {
  const { id } = await issue()
  const code = await wrongCode(id)
  const verify = () => tenant.client.verifyOtp({ id, scope, code })
  for (let wrong = 0; wrong < 4; wrong++) await refused(verify(), 'OTP_INVALID_CODE')
  service.clock.advance(60_000)
  await tenant.client.resendOtp({ id, scope })
  assert.equal(storedOtp(service, id)['wrong_codes'], 4)
  await refused(verify(), 'OTP_INVALID_CODE')
  await refused(verify(), 'OTP_MAX_ATTEMPTS_REACHED')
  assert.equal(storedOtp(service, id)['wrong_codes'], 5)
})

test('keeps the settings it was issued with', async () => {
  const changing = await service.addTenant()
  const { id } = await issue(changing)
  const code = await service.codeOf(id)
  const otp = { length: 8, ttlSeconds: 3600, resendIntervalSeconds: 0, maxResends: 0, maxVerifyAttempts: 1 }
  await service.admin.updateConfiguration({ tenantId: changing.tenantId }, { otp })
  await refused(changing.client.resendOtp({ id, scope }), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
  service.clock.advance(60_000)
  await changing.client.resendOtp({ id, scope })
  assert.equal(await service.codeOf(id), code)
  const { resendsRemaining, attemptsRemaining } = await changing.client.getOtpStatus({ id, scope })
  assert.deepEqual({ resendsRemaining, attemptsRemaining }, { resendsRemaining: 2, attemptsRemaining: 5 })
})

test('reports an invalid OTP module before any lookup, and works once it is repaired', async () => {
  const broken = await service.addTenant()
  const { id } = await issue(broken)
  service.clock.advance(60_000)
  const refusesAll = () =>
    changesNothing(service, async () => {
      for (const any of [id, 'unknown']) {
        await refused(broken.client.resendOtp({ id: any, scope }), 'TENANT_NOT_CONFIGURED')
      }
      await refused(issue(broken), 'TENANT_NOT_CONFIGURED')
    })

  await service.admin.updateConfiguration({ tenantId: broken.tenantId }, { otp: null })
  await refusesAll()
  const unsound = [
    { length: 0 },
    { length: 3 },
    { length: 11 },
    { length: '6' },
    { length: 6.5 },
    { length: null },
    6,
    [],
  ]
  for (const otp of unsound) {
    const modules = JSON.stringify({ auth: { methods: ['password'] }, otp })
    await writeStored(
      service,
      'UPDATE tenants SET modules = ?, revision = revision + 1 WHERE id = ?',
      modules,
      broken.tenantId,
    )
    await refusesAll()
  }
  await service.admin.updateConfiguration({ tenantId: broken.tenantId }, { otp: { length: 6 } })
  await broken.client.resendOtp({ id, scope })
})

test('nothing in the request changes the recipient', async () => {
  const { id } = await issue()
  await service.codeOf(id)
  service.clock.advance(60_000)
  const evil = {
    email: 'evil@example.com',
    phone: '+33612345678',
    to: 'evil@example.com',
    recipient: 'evil@example.com',
  }
  const body = { id, scope, ...evil, channel: 'sms', deliveryMethod: 'sms', delivery_method: 'sms' }
  assert.equal((await request(service, 'POST /otp/resend', { key: tenant.key, body })).status, 201)
  const [first, second] = storedMessages(service, id)
  const destination = (row = first) => [row?.['recipient'], row?.['delivery_method']]
  assert.deepEqual(destination(second), ['jane@example.com', 'email'])
  assert.deepEqual(destination(first), destination(second))
})

test('no capability restricts a resend', async () => {
  const restricted = await service.addTenant()
  const person = await addPerson(service, restricted)
  const { id } = await person.issue('reset_password')
  const { id: signInId } = await issue(restricted)
  const { tenantId } = restricted
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities: ['otp', 'reset_password', 'sign_in'] })
  service.clock.advance(60_000)
  await restricted.client.resendOtp({ id, scope: 'reset_password' })
  await restricted.client.resendOtp({ id: signInId, scope })
})
