import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { enteredCode, newEmail, newPhone, sessionIdOf } from '../support/sign-in-methods.ts'
import { password, type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
before(async () => {
  recorded = await startRecordedService()
})
after(() => recorded[Symbol.asyncDispose]())

test('records a changed password and each session that it ends', async () => {
  const { client, events, known, signUp } = await recorded.open()
  const email = newEmail()
  const own = client.withSession((await signUp(email)).accessToken)
  for (const name of ['s1', 's2']) known(await client.signIn({ method: 'password', email, password }), 'jane', name)
  events.next()
  await own.changePassword({ currentPassword: password, password: 'battery staple' })
  assert.deepEqual(events.next(), [
    'session.ended by user jane s0 about user jane {"reason":"password_changed","session":"s1"}',
    'session.ended by user jane s0 about user jane {"reason":"password_changed","session":"s2"}',
    'user.password_changed by user jane s0 about user jane ~{"password":{}}',
  ])
})

test('records the verification of an address, and its change, with masked addresses', async () => {
  const { service } = recorded
  const { client, events, signUp } = await recorded.open()
  const own = client.withSession((await signUp('jane@example.com')).accessToken)
  const verify = async (id: string) => {
    events.name(id, 'otp1')
    await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  }
  await verify((await own.issueOtp({ scope: 'email_verification' })).id)
  const verified =
    'otp.verified by user jane s0 about user jane {"deliveryMethod":"email","otp":"otp1","scope":"email_verification"}'
  assert.deepEqual(events.next(), [
    verified,
    'user.email_verified by user jane s0 about user jane ~{"email":{"after":"j***@e***.com"}}',
  ])
  await verify((await own.changeEmail({ email: 'new@elsewhere.example' })).id)
  assert.deepEqual(events.next(), [
    verified,
    'recovery.started by user jane about user jane {"otp":"…"}',
    'user.email_changed by user jane s0 about user jane ~{"email":{"after":"n***@e***.example","before":"j***@e***.com"}}',
  ])
})

test('records the recovery of an address, and everything that it removes', async () => {
  const { service, google } = recorded
  const { client, events, known, prove, tenant } = await recorded.open()
  const old = newEmail()
  const own = client.withSession((await prove({ email: old })).accessToken)
  await own.addIdentity({ method: 'password', password })
  service.clock.advance(1_000)
  const { id } = await own.changeEmail({ email: 'thief@elsewhere.example' })
  await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  service.clock.advance(1_000)
  await own.changePassword({ currentPassword: password, password: 'battery staple' })
  await own.addIdentity({ method: 'google', idToken: await google.sign({ sub: 'thief', email: undefined }) })
  await own.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone: '+33612345678' }) })
  known(
    await client.signIn({ method: 'password', email: 'thief@elsewhere.example', password: 'battery staple' }),
    'jane',
    's1',
  )
  const undo = await addressTakeover(service, tenant).undoOf(old)
  events.next()
  await assert.rejects(client.recoverAccount({ ...undo, code: '00000000000000000000' }))
  assert.deepEqual(events.next(), [])
  await client.recoverAccount(undo)
  const by = 'by user jane about user jane'
  assert.deepEqual(events.next(), [
    `identity.removed ${by} {"identity":"…","provider":"google"}`,
    `recovery.completed ${by} {"otp":"…"} ~{"email":{"after":"u***@e***.com","before":"t***@e***.example"}}`,
    `session.ended ${by} {"reason":"recovered","session":"s0"}`,
    `session.ended ${by} {"reason":"recovered","session":"s1"}`,
    `user.password_changed ${by} ~{"password":{}}`,
    `user.phone_changed ${by} ~{"phone":{"before":"+33******78"}}`,
  ])
})

test('records what is added to an account and removed from it', async () => {
  const { service, google } = recorded
  const { client, events, prove, tenant } = await recorded.open()
  const own = client.withSession((await prove({ phone: '+33612345699' })).accessToken)
  const by = 'by user jane s0 about user jane'
  const email = newEmail()
  const token = await enteredCode(service, tenant, { email })
  events.next()
  await own.addIdentity({ method: 'otp', token })
  assert.deepEqual(events.next(), [
    'otp.consumed by user jane about user jane {"otp":"…","scope":"otp_signin"}',
    `user.email_changed ${by} ~{"email":{"after":"u***@e***.com"}}`,
  ])
  await own.addIdentity({ method: 'password', password })
  assert.deepEqual(events.next(), [`user.password_changed ${by} ~{"password":{}}`])
  const { identities } = await own.addIdentity({ method: 'google', idToken: await google.sign({ sub: 'added' }) })
  assert.deepEqual(events.next(), [`identity.added ${by} {"identity":"…","provider":"google"}`])
  const google1 = identities.find(({ method }) => method === 'google')!
  await own.removeIdentity({ identityId: google1.id })
  assert.deepEqual(events.next(), [`identity.removed ${by} {"identity":"…","provider":"google"}`])
  await own.removeIdentity({ identityId: 'password' })
  assert.deepEqual(events.next(), [`user.password_changed ${by} ~{"password":{}}`])
  await own.removeIdentity({ identityId: 'phone' })
  assert.deepEqual(events.next(), [
    'recovery.started by user jane about user jane {"otp":"…"}',
    `user.phone_changed ${by} ~{"phone":{"before":"+33******99"}}`,
  ])
})

test('records the password that goes with an e-mail address, removed by the user, an operator or a recovery', async () => {
  const { service } = recorded
  const { client, events, prove, tenant } = await recorded.open()
  const phone = newPhone()
  const { user, accessToken } = await prove({ phone })
  const own = client.withSession(accessToken)
  const takeover = addressTakeover(service, tenant)
  const addEmail = async () => {
    await own.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { email: newEmail() }) })
    await own.addIdentity({ method: 'password', password })
    service.clock.advance(1_000)
    events.next()
  }
  const lost = (by: string) => [
    `user.email_changed by ${by} about user jane ~{"email":{"before":"u***@e***.com"}}`,
    `user.password_changed by ${by} about user jane ~{"password":{}}`,
  ]
  await addEmail()
  await own.removeIdentity({ identityId: 'email' })
  assert.deepEqual(events.next().slice(1), lost('user jane s0'))
  await addEmail()
  await service.admin.removeUserIdentity({ tenantId: tenant.tenantId, userId: user.id, identityId: 'email' })
  assert.deepEqual(events.next(), lost('operator root'))
  await addEmail()
  for (const kind of ['phone', 'email'] as const) await takeover.change(kind, own)
  events.next()
  await client.recoverAccount(await takeover.undoOf(phone))
  assert.deepEqual(events.next().slice(-2), lost('user jane'))
})

test('records the first sign-in method of a guest, and the sessions that end with it', async () => {
  const { client, events, known } = await recorded.open()
  const guest = known(await client.signIn({ method: 'guest' }), 'guest', 's0')
  const email = newEmail()
  events.next()
  const { session } = await client.withSession(guest.accessToken).addIdentity({ method: 'password', password, email })
  events.name(sessionIdOf(session!), 's1')
  assert.deepEqual(events.next(), [
    'session.created by user guest s1 about user guest {"method":"password","session":"s1"}',
    'session.ended by user guest about user guest {"reason":"first_sign_in_method","session":"s0"}',
    'user.email_changed by user guest s0 about user guest ~{"email":{"after":"u***@e***.com"}}',
    'user.password_changed by user guest s0 about user guest ~{"password":{}}',
  ])
})

test('records the deletion of an account, by its owner and of an idle guest', async () => {
  const { service } = recorded
  const { client, events, known, prove, tenant } = await recorded.open()
  await client.withSession((await prove({ phone: newPhone() })).accessToken).deleteAccount()
  assert.deepEqual(events.next(), ['user.deleted by user jane s0 about user jane {"reason":"requested"}'])
  await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { auth: { guest: { idleDays: 1 } } })
  known(await client.signIn({ method: 'guest' }), 'guest', 's1')
  service.clock.advance(2 * 86_400_000)
  events.next()
  await service.service.services.housekeeping.run()
  assert.deepEqual(events.next(), ['user.deleted by system about user guest {"reason":"idle"}'])
})
