import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enteredCode, newEmail } from '../support/sign-in-methods.ts'
import { password, type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
before(async () => {
  recorded = await startRecordedService()
})
after(() => recorded[Symbol.asyncDispose]())

const scope = 'otp_signin' as const

test('records the life of a one-time password; issuing, resending and wrong codes only with detail "all"', async () => {
  const { service } = recorded
  for (const detail of ['all', 'security', 'off'] as const) {
    const { client, events } = await recorded.open({ detail })
    const { id } = await client.issueOtp({ scope, email: newEmail() })
    events.name(id, 'otp1')
    const about = 'by tenantKey key about otp otp1'
    const expect = (line: string, recordedFrom: 'all' | 'security') => {
      const isRecorded = detail === 'all' || detail === recordedFrom
      assert.deepEqual(events.next(), isRecorded ? [line] : [])
    }
    expect(`otp.created ${about} {"deliveryMethod":"email","otp":"otp1","scope":"otp_signin"}`, 'all')
    service.clock.advance(60_000)
    await client.resendOtp({ id, scope })
    expect(`otp.resent ${about} {"otp":"otp1","scope":"otp_signin"}`, 'all')
    await assert.rejects(client.resendOtp({ id, scope }))
    assert.deepEqual(events.next(), [])
    await assert.rejects(client.verifyOtp({ id, scope, code: 'wrong' }))
    expect(`otp.wrong_code [OTP_INVALID_CODE] ${about} {"otp":"otp1","scope":"otp_signin"}`, 'all')
    const code = await service.codeOf(id)
    await client.verifyOtp({ id, scope, code })
    expect(`otp.verified ${about} {"deliveryMethod":"email","otp":"otp1","scope":"otp_signin"}`, 'security')
    await assert.rejects(client.verifyOtp({ id, scope, code }))
    await assert.rejects(client.verifyOtp({ id: service.clock.now().toString(), scope, code }))
    assert.deepEqual(events.next(), [])
  }
})

test('records the wrong code that locks a one-time password, once, also when many arrive at the same time', async () => {
  const { client, events } = await recorded.open({ detail: 'all' })
  const { id } = await client.issueOtp({ scope, email: newEmail() })
  events.name(id, 'otp1')
  events.next()
  const attempts = Array.from({ length: 12 }, () => client.verifyOtp({ id, scope, code: 'wrong' }))
  const codes = (await Promise.allSettled(attempts)).map((each) => each.status === 'rejected' && each.reason.code)
  const counted = codes.filter((code) => code === 'OTP_INVALID_CODE').length
  const details = '{"otp":"otp1","scope":"otp_signin"}'
  const wrong = `otp.wrong_code [OTP_INVALID_CODE] by tenantKey key about otp otp1 ${details}`
  assert.deepEqual(events.next(), [
    `otp.locked by tenantKey key about otp otp1 ${details}`,
    ...Array.from({ length: counted }, () => wrong),
  ])
  assert.ok(counted > 1)
})

test('names the user in events about codes of their account', async () => {
  const { service } = recorded
  const { client, events, signUp } = await recorded.open({ detail: 'all' })
  const own = client.withSession((await signUp(newEmail())).accessToken)
  const { id } = await own.issueOtp({ scope: 'email_verification' })
  service.clock.advance(60_000)
  await client.resendOtp({ id, scope: 'email_verification' })
  await assert.rejects(client.verifyOtp({ id, scope: 'email_verification', code: 'wrong' }))
  assert.deepEqual(events.next(), [
    'otp.created by user jane s0 about user jane {"deliveryMethod":"email","otp":"…","scope":"email_verification"}',
    'otp.resent by tenantKey key about user jane {"otp":"…","scope":"email_verification"}',
    'otp.wrong_code [OTP_INVALID_CODE] by tenantKey key about user jane {"otp":"…","scope":"email_verification"}',
  ])
})

test('records a password reset and the sessions that it ends', async () => {
  const { service } = recorded
  const { client, events, known, signUp, tenant } = await recorded.open()
  const email = newEmail()
  await client.withSession((await signUp(email)).accessToken).signOut({ scope: 'this' })
  known(await client.signIn({ method: 'password', email, password }), 'jane', 's1')
  const reset = async () => {
    const { id } = await client.resetPassword({ step: 'challenge', email })
    events.name(id, 'otp1')
    await client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
    return id
  }
  events.next()
  const first = await reset()
  assert.deepEqual(events.next(), [
    'otp.verified by tenantKey key about user jane {"deliveryMethod":"email","otp":"otp1","scope":"reset_password"}',
    'password_reset.requested by tenantKey key about user jane {"otp":"otp1"}',
  ])
  await client.resetPassword({ step: 'confirm', token: first, password: 'battery staple' })
  const completed = 'password_reset.completed by user jane about user jane {"otp":"otp1"}'
  const ended = (session: string) =>
    `session.ended by user jane about user jane {"reason":"password_reset","session":"${session}"}`
  assert.deepEqual(events.next(), [
    completed,
    ended('s1'),
    'user.email_verified by user jane about user jane ~{"email":{"after":"u***@e***.com"}}',
  ])
  for (const name of ['s2', 's3'])
    known(await client.signIn({ method: 'password', email, password: 'battery staple' }), 'jane', name)
  const second = await reset()
  events.next()
  await client.resetPassword({ step: 'confirm', token: second, password: 'correct staple' })
  await assert.rejects(client.resetPassword({ step: 'confirm', token: second, password: 'correct staple' }))
  assert.deepEqual(events.next(), [completed, ended('s2'), ended('s3')])
  await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { security: { enumerationProtection: true } })
  events.next()
  const decoy = await client.resetPassword({ step: 'challenge', email: 'unknown@example.com' })
  events.name(decoy.id, 'decoy')
  assert.deepEqual(events.next(), ['password_reset.requested by tenantKey key about otp decoy {"otp":"decoy"}'])
})

test('records the new account of a reset whose address another account had only claimed', async () => {
  const { service } = recorded
  const { client, events, prove, tenant } = await recorded.open()
  const email = newEmail()
  const own = client.withSession((await prove({ phone: '+33612345600' })).accessToken)
  await own.addIdentity({ method: 'password', email, password })
  const { id } = await client.resetPassword({ step: 'challenge', email })
  await client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  events.next()
  await client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
  const { user } = await client.signIn({ method: 'otp', token: await enteredCode(service, tenant, { email }) })
  events.name(user.id, 'owner')
  assert.deepEqual(
    events.next().filter((line) => !/^(otp|sign_in)\./.test(line)),
    [
      'password_reset.completed by user owner about user owner {"otp":"…"}',
      'user.created by user owner about user owner {"method":"password"}',
      'user.email_changed by tenantKey key about user jane ~{"email":{"before":"u***@e***.com"}}',
    ],
  )
})
