import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enteredCode, newEmail, sessionIdOf } from '../support/sign-in-methods.ts'
import { password, type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
before(async () => {
  recorded = await startRecordedService()
})
after(() => recorded[Symbol.asyncDispose]())

test('records refreshes when everything is recorded, and the reuse of a refresh token always', async () => {
  const { service } = recorded
  for (const detail of ['all', 'security'] as const) {
    const { client, events, signUp } = await recorded.open({ detail })
    const { refreshToken } = await signUp(newEmail())
    const { refreshToken: next } = await client.refreshSession({ refreshToken })
    await client.refreshSession({ refreshToken: next })
    const refreshed = 'session.refreshed by user jane s0 about user jane {"session":"s0"}'
    assert.deepEqual(events.next(), detail === 'all' ? [refreshed, refreshed] : [])
    service.clock.advance(11_000)
    await assert.rejects(client.refreshSession({ refreshToken }))
    await assert.rejects(client.refreshSession({ refreshToken }))
    assert.deepEqual(events.next(), [
      'session.ended by tenantKey key about user jane {"reason":"reuse_detected","session":"s0"}',
      'session.reuse_detected by tenantKey key about user jane {"session":"s0"}',
    ])
  }
})

test('records each session that a sign-out ends, once', async () => {
  const { client, events, known, signUp } = await recorded.open()
  const email = newEmail()
  const first = await signUp(email)
  const own = client.withSession(first.accessToken)
  const signedIn = async (name: string) =>
    known(await client.signIn({ method: 'password', email, password }), 'jane', name)
  const ended = (session: string) =>
    `session.ended by user jane s0 about user jane {"reason":"signed_out","session":"${session}"}`
  for (const name of ['s1', 's2', 's3']) await signedIn(name)
  const { sessions } = await own.listSessions()
  assert.equal(sessions.length, 4)
  events.next()
  const third = await signedIn('s4')
  events.next()
  await own.endSession({ sessionId: sessionIdOf(third) })
  await assert.rejects(own.endSession({ sessionId: sessionIdOf(third) }))
  assert.deepEqual(events.next(), [ended('s4')])
  await own.signOut({ scope: 'others' })
  assert.deepEqual(events.next(), ['s1', 's2', 's3'].map(ended))
  await own.signOut({ scope: 'others' })
  assert.deepEqual(events.next(), [])
  await own.signOut({ scope: 'this' })
  assert.deepEqual(events.next(), [ended('s0')])
})

test('records each session that a sign-in ends', async () => {
  const { client, events, known, signUp } = await recorded.open()
  const email = newEmail()
  await signUp(email)
  known(await client.signIn({ method: 'password', email, password }), 'jane', 's1')
  events.next()
  known(await client.signIn({ method: 'password', email, password, endOtherSessions: true }), 'jane', 's2')
  const ended = (session: string) =>
    `session.ended by user jane s2 about user jane {"reason":"signed_out","session":"${session}"}`
  assert.deepEqual(events.next(), [
    ended('s0'),
    ended('s1'),
    'sign_in.succeeded by user jane s2 about user jane {"method":"password","session":"s2"}',
  ])
})

test('records step-ups by password and by code, and their refusals', async () => {
  const { service } = recorded
  const { tenant, client, events, prove } = await recorded.open()
  const email = newEmail()
  const own = client.withSession((await prove({ email })).accessToken)
  await own.stepUp({ method: 'otp', token: await enteredCode(service, tenant, { email }) })
  assert.deepEqual(events.next(), [
    'otp.consumed by user jane about user jane {"otp":"…","scope":"otp_signin"}',
    'otp.verified by tenantKey key about otp … {"deliveryMethod":"email","otp":"…","scope":"otp_signin"}',
    'step_up.succeeded by user jane s0 about user jane {"method":"otp","session":"s0"}',
  ])
  await own.addIdentity({ method: 'password', password })
  events.next()
  await own.stepUp({ method: 'password', password })
  await assert.rejects(own.stepUp({ method: 'password', password: 'wrong password' }))
  await assert.rejects(own.changePassword({ currentPassword: 'wrong password', password: 'another password' }))
  const refused =
    'step_up.refused [INVALID_CREDENTIALS] by user jane s0 about user jane {"method":"password","session":"s0"}'
  assert.deepEqual(events.next(), [
    refused,
    refused,
    'step_up.succeeded by user jane s0 about user jane {"method":"password","session":"s0"}',
  ])
})
