import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const statusOf = (id: string, scope: OtpScope = 'otp_signin') => tenant.client.getOtpStatus({ id, scope })
const time = (ms: number) => new Date(ms).toISOString()

test('shows all of a new one-time password except its code and its address', async () => {
  const { id, createdAt, expiresAt } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'Jane@Example.com' })
  await service.codeOf(id)
  const status = await changesNothing(service, () => statusOf(id))
  assert.deepEqual(status, {
    id,
    scope: 'otp_signin',
    state: 'pending',
    createdAt,
    expiresAt,
    nextResendAt: time(service.clock.now() + 60_000),
    resendsRemaining: 3,
    attemptsRemaining: 5,
    deliveryMethod: 'email',
    recipient: 'j***@e***.com',
    delivery: 'sent',
  })
})

test('masks a phone number, and shows each scope by its name', async () => {
  const person = await addPerson(service, tenant)
  for (const scope of OtpScope.options) {
    const { id } = await person.issue(scope)
    const { scope: shown, deliveryMethod, recipient } = await statusOf(id, scope)
    assert.equal(shown, scope)
    const sms = scope === 'phone_verification'
    assert.deepEqual([deliveryMethod, recipient.includes('***')], [sms ? 'sms' : 'email', true])
    assert.ok(![person.email, person.phone].includes(recipient))
    for (const other of OtpScope.options) {
      if (other !== scope) await refused(statusOf(id, other), 'OTP_NOT_FOUND')
    }
  }
})

test('counts resends and wrong codes down, until no resend is left', async () => {
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', phone: '+33612345678' })
  for (let left = 2; left >= 0; left--) {
    service.clock.advance(60_000)
    await tenant.client.resendOtp({ id, scope: 'otp_signin' })
    await refused(tenant.client.verifyOtp({ id, scope: 'otp_signin', code: 'wrong' }), 'OTP_INVALID_CODE')
    const { resendsRemaining, attemptsRemaining, nextResendAt } = await statusOf(id)
    assert.deepEqual([resendsRemaining, attemptsRemaining], [left, left + 2])
    assert.equal(nextResendAt, left > 0 ? time(service.clock.now() + 60_000) : null)
  }
})

test('shows no time of a resend at which the one-time password has expired (OTP-14)', async () => {
  for (const msLeft of [60_001, 60_000]) {
    const { id, expiresAt } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
    service.clock.set(Date.parse(expiresAt) - msLeft)
    await tenant.client.resendOtp({ id, scope: 'otp_signin' })
    const { nextResendAt, resendsRemaining } = await statusOf(id)
    const shown = msLeft > 60_000 ? time(service.clock.now() + 60_000) : null
    assert.deepEqual([nextResendAt, resendsRemaining], [shown, 2])
  }
})

test('shows each state, with no resends or attempts left once it is not pending', async () => {
  const person = await addPerson(service, tenant)
  const fates = {
    verified: await person.verified('reset_password'),
    consumed: await person.verified('reset_password'),
    locked: (await person.issue('otp_signin')).id,
    cancelled: (await person.issue('reset_password')).id,
  }
  for (let wrong = 0; wrong < 5; wrong++) {
    const guess = tenant.client.verifyOtp({ id: fates.locked, scope: 'otp_signin', code: 'wrong' })
    await refused(guess, 'OTP_INVALID_CODE')
  }
  const shows = async (state: keyof typeof fates, expected: string) => {
    const status = await statusOf(fates[state], state === 'locked' ? 'otp_signin' : 'reset_password')
    const { nextResendAt, resendsRemaining, attemptsRemaining } = status
    assert.deepEqual(
      { state: status.state, nextResendAt, resendsRemaining, attemptsRemaining },
      { state: expected, nextResendAt: null, resendsRemaining: 0, attemptsRemaining: 0 },
    )
  }
  await shows('verified', 'verified')
  await tenant.client.resetPassword({ step: 'confirm', token: fates.consumed, password: 'battery staple' })
  await shows('verified', 'cancelled')
  await shows('cancelled', 'cancelled')
  await shows('consumed', 'consumed')
  await shows('locked', 'locked')
  service.clock.advance(600_000)
  await shows('consumed', 'consumed')
  for (const state of ['verified', 'locked', 'cancelled'] as const) await shows(state, 'expired')
})

test('stays pending until the millisecond of expiresAt', async () => {
  const { id, expiresAt } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  service.clock.set(Date.parse(expiresAt) - 1)
  assert.equal((await statusOf(id)).state, 'pending')
  service.clock.advance(1)
  assert.equal((await statusOf(id)).state, 'expired')
})

test('does not find an unknown id or one of another tenant', async () => {
  const other = await service.addTenant()
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await refused(other.client.getOtpStatus({ id, scope: 'otp_signin' }), 'OTP_NOT_FOUND')
  await refused(statusOf('unknown'), 'OTP_NOT_FOUND')
})
