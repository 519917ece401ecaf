import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enteredCode, newEmail, newPhone } from '../support/sign-in-methods.ts'
import { password, type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
before(async () => {
  recorded = await startRecordedService()
})
after(() => recorded[Symbol.asyncDispose]())

test('records a sign-up, its code and its profile', async () => {
  const { service } = recorded
  const { tenant, client, events, known } = await recorded.open()
  const components = [{ name: 'nick', type: 'text' as const }]
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { components })
  const email = newEmail()
  const token = await enteredCode(service, tenant, { email })
  events.next()
  known(await client.signUp({ method: 'password', email, password, token, profile: { nick: 'J' } }), 'jane', 's1')
  assert.deepEqual(events.next(), [
    'otp.consumed by user jane about user jane {"otp":"…","scope":"otp_signin"}',
    'profile.created by tenantKey key about user jane ~{"nick":{}}',
    'session.created by user jane s1 about user jane {"method":"password","session":"s1"}',
    'user.created by user jane s1 about user jane {"method":"password"}',
  ])
})

test('records a guest', async () => {
  const { client, events, known } = await recorded.open()
  known(await client.signIn({ method: 'guest' }), 'guest', 's1')
  assert.deepEqual(events.next(), [
    'sign_in.succeeded by user guest s1 about user guest {"method":"guest","session":"s1"}',
    'user.created by user guest s1 about user guest {"method":"guest"}',
  ])
})

test('records a sign-in by password, and its refusals for known and unknown addresses alike', async () => {
  const { client, events, known, signUp } = await recorded.open()
  const email = newEmail()
  await signUp(email)
  known(await client.signIn({ method: 'password', email, password }), 'jane', 's1')
  assert.deepEqual(events.next(), [
    'sign_in.succeeded by user jane s1 about user jane {"method":"password","session":"s1"}',
  ])
  for (const to of [email, 'unknown@elsewhere.example'])
    await assert.rejects(client.signIn({ method: 'password', email: to, password: 'wrong password' }))
  assert.deepEqual(events.next(), [
    'sign_in.refused [INVALID_CREDENTIALS] by tenantKey key about address {"method":"password"} ~{"email":{"after":"u***@e***.example"}}',
    'sign_in.refused [INVALID_CREDENTIALS] by tenantKey key about user jane {"method":"password"} ~{"email":{"after":"u***@e***.com"}}',
  ])
})

test('records a refused sign-in of a suspended user, whose code stays unused', async () => {
  const { service } = recorded
  const { tenant, client, events, signUp } = await recorded.open()
  const { tenantId } = tenant
  const { user, accessToken } = await signUp(newEmail())
  const { id } = await client.withSession(accessToken).issueOtp({ scope: 'email_verification' })
  await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  const token = await enteredCode(service, tenant, { email: user.email! })
  await service.admin.updateUser({ tenantId, userId: user.id }, { suspension: { reason: 'spam' } })
  events.next()
  await assert.rejects(client.signIn({ method: 'otp', token }))
  await assert.rejects(client.signIn({ method: 'password', email: user.email!, password }))
  assert.deepEqual(events.next(), [
    'sign_in.refused [RESTRICTED_CAPABILITY] by tenantKey key about user jane {"method":"otp"}',
    'sign_in.refused [RESTRICTED_CAPABILITY] by tenantKey key about user jane {"method":"password"} ~{"email":{"after":"u***@e***.com"}}',
  ])
})

test('records a sign-in by code, of a new user and again, and the refusal of a used code', async () => {
  const { service } = recorded
  const { tenant, client, events, known } = await recorded.open()
  const email = newEmail()
  const token = await enteredCode(service, tenant, { email })
  events.name(token, 'otp1')
  assert.deepEqual(events.next(), [
    'otp.verified by tenantKey key about otp otp1 {"deliveryMethod":"email","otp":"otp1","scope":"otp_signin"}',
  ])
  known(await client.signIn({ method: 'otp', token }), 'jane', 's1')
  assert.deepEqual(events.next(), [
    'otp.consumed by user jane about user jane {"otp":"otp1","scope":"otp_signin"}',
    'sign_in.succeeded by user jane s1 about user jane {"method":"otp","session":"s1"}',
    'user.created by user jane s1 about user jane {"method":"otp"}',
  ])
  await assert.rejects(client.signIn({ method: 'otp', token }))
  assert.deepEqual(events.next(), [
    'sign_in.refused [OTP_ALREADY_CONSUMED] by tenantKey key about address {"method":"otp"}',
  ])
  known(await client.signIn({ method: 'otp', token: await enteredCode(service, tenant, { email }) }), 'jane', 's2')
  assert.deepEqual(
    events.next().filter((line) => !line.startsWith('otp.')),
    ['sign_in.succeeded by user jane s2 about user jane {"method":"otp","session":"s2"}'],
  )
})

test('records the first proof of an address, and what it removes from the account', async () => {
  const { service } = recorded
  const { tenant, client, events, known, signUp } = await recorded.open()
  const email = newEmail()
  await signUp(email)
  const token = await enteredCode(service, tenant, { email })
  events.next()
  known(await client.signIn({ method: 'otp', token }), 'jane', 's1')
  assert.deepEqual(events.next(), [
    'otp.consumed by user jane about user jane {"otp":"…","scope":"otp_signin"}',
    'session.ended by user jane about user jane {"reason":"address_proven","session":"s0"}',
    'sign_in.succeeded by user jane s1 about user jane {"method":"otp","session":"s1"}',
    'user.email_verified by user jane about user jane ~{"email":{"after":"u***@e***.com"}}',
    'user.password_changed by user jane about user jane ~{"password":{}}',
  ])
})

test('records the address that an account with another proof loses to its owner', async () => {
  const { service } = recorded
  const { tenant, client, events, known } = await recorded.open()
  const phone = newPhone()
  const first = known(
    await client.signIn({ method: 'otp', token: await enteredCode(service, tenant, { phone }) }),
    'jane',
    's1',
  )
  const email = newEmail()
  await client.withSession(first.accessToken).addIdentity({ method: 'password', email, password })
  const token = await enteredCode(service, tenant, { email })
  events.next()
  known(await client.signIn({ method: 'otp', token }), 'owner', 's2')
  assert.deepEqual(events.next(), [
    'otp.consumed by user owner about user owner {"otp":"…","scope":"otp_signin"}',
    'sign_in.succeeded by user owner s2 about user owner {"method":"otp","session":"s2"}',
    'user.created by user owner s2 about user owner {"method":"otp"}',
    'user.email_changed by tenantKey key about user jane ~{"email":{"before":"u***@e***.com"}}',
  ])
})

test('records sign-ins by a provider: new, returning, linked by address, refused', async () => {
  const { service, google } = recorded
  const { tenant, client, events, known } = await recorded.open()
  const signIn = async (claims: Record<string, unknown>) =>
    client.signIn({ method: 'google', idToken: await google.sign(claims) })
  const email = newEmail()
  known(await signIn({ sub: 'one', email }), 'jane', 's1')
  assert.deepEqual(events.next(), [
    'identity.added by user jane about user jane {"identity":"…","provider":"google"}',
    'sign_in.succeeded by user jane s1 about user jane {"method":"google","session":"s1"}',
    'user.created by user jane s1 about user jane {"method":"google"}',
  ])
  known(await signIn({ sub: 'one', email }), 'jane', 's2')
  assert.deepEqual(events.next(), [
    'sign_in.succeeded by user jane s2 about user jane {"method":"google","session":"s2"}',
  ])
  const proven = newEmail()
  known(
    await client.signIn({ method: 'otp', token: await enteredCode(service, tenant, { email: proven }) }),
    'joe',
    's3',
  )
  events.next()
  known(await signIn({ sub: 'two', email: proven }), 'joe', 's4')
  assert.deepEqual(events.next(), [
    'identity.linked_by_address by user joe about user joe {"identity":"…","provider":"google"}',
    'sign_in.succeeded by user joe s4 about user joe {"method":"google","session":"s4"}',
  ])
  await assert.rejects(client.signIn({ method: 'google', idToken: 'e30.e30.e30' }))
  assert.deepEqual(events.next(), [
    'sign_in.refused [INVALID_SOCIAL_TOKEN] by tenantKey key about address {"method":"google"}',
  ])
})
