import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing, storedRow } from '../support/databases/stored-rows.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, isOpen, isOver, newEmail, signInByCode, userIdsOf } from '../support/sign-in-methods.ts'

const DAY = 86_400_000
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
})
after(() => service.close())

const enter = ({ client } = tenant) => client.signIn({ method: 'guest' })
const round = () => service.service.services.housekeeping.run()

test('creates a new user for each guest, with nothing but a session', async () => {
  const [one, two] = [await enter(), await enter()]
  assert.notEqual(one.user.id, two.user.id)
  const { identities } = await tenant.client.withSession(one.accessToken).getAccount()
  assert.deepEqual(identities, [])
  const find = 'SELECT email, phone, password_hash, guest FROM users WHERE id = ?'
  const nothing = { email: null, phone: null, password_hash: null, guest: 1 }
  assert.deepEqual(storedRow(service, find, one.user.id), nothing)
})

test('a guest who signs out cannot sign in again', async () => {
  const guest = await enter()
  await tenant.client.withSession(guest.accessToken).signOut({ scope: 'this' })
  await isOver(tenant, guest)
})

test('a guest has no password to change and no address to verify', async () => {
  const client = tenant.client.withSession((await enter()).accessToken)
  await changesNothing(service, async () => {
    await refused(client.changePassword({ password: 'correct horse' }), 'EMAIL_NOT_SET')
    await invalid(client.issueOtp({ scope: 'email_verification' }), { email: 'Required' })
    await invalid(client.issueOtp({ scope: 'phone_verification' }), { phone: 'Required' })
    await refused(client.removeIdentity({ identityId: 'password' }), 'IDENTITY_NOT_FOUND')
  })
})

test('a password as the first way to sign in ends the guest’s session, which may have been planted', async () => {
  const service = await startTestService()
  const closed = await service.addTenant({ methods: ['password', 'guest'] })
  const planted = await enter(closed)
  const guest = closed.client.withSession(planted.accessToken)
  const { id } = await guest.changeEmail({ email: newEmail() })
  await closed.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  const { session } = await guest.changePassword({ password: 'correct horse' })
  await isOver(closed, planted)
  assert.equal(session?.user.id, planted.user.id)
  const client = closed.client.withSession(session!.accessToken)
  assert.deepEqual(await client.changePassword({ password: 'battery staple' }), { success: true })
  await service.close()
})

test('a guest gains no first way to sign in while sign-in is restricted, and keeps session and code', async () => {
  const service = await startTestService()
  const closed = await service.addTenant({ methods: ['password', 'otp', 'guest'] })
  const entered = await enter(closed)
  const guest = closed.client.withSession(entered.accessToken)
  const email = newEmail()
  const { id } = await guest.changeEmail({ email })
  const code = { id, scope: 'email_verification', code: await service.codeOf(id) } as const
  await service.admin.updateTenant(closed, { restrictedCapabilities: ['sign_in'] })
  await changesNothing(service, () => refused(closed.client.verifyOtp(code), 'RESTRICTED_CAPABILITY'))
  const password = { method: 'password', password: 'correct horse', email } as const
  await changesNothing(service, () => refused(guest.addIdentity(password), 'RESTRICTED_CAPABILITY'))
  await service.admin.updateTenant(closed, { restrictedCapabilities: [] })
  assert.equal((await closed.client.verifyOtp(code)).session?.user.email, email)
  await service.close()
})

test('creates no guests where they are disabled or sign-in or sign-up is restricted; existing guests continue', async () => {
  const closed = await addOpenTenant(service)
  let guest = await enter(closed)
  const users = userIdsOf(service, closed)
  for (const capability of ['sign_in', 'sign_up'] as const) {
    await service.admin.updateTenant(closed, { restrictedCapabilities: [capability] })
    await changesNothing(service, () => refused(enter(closed), 'RESTRICTED_CAPABILITY'))
  }
  guest = await isOpen(closed, guest)
  await service.admin.updateTenant(closed, { restrictedCapabilities: [] })
  await service.admin.updateConfiguration(closed, { auth: { methods: ['otp'] } })
  await changesNothing(service, () => refused(enter(closed), 'AUTH_METHOD_NOT_ENABLED'))
  await isOpen(closed, guest)
  assert.deepEqual(userIdsOf(service, closed), users)
})

test('erases guests after the idle time of their tenant, and no active guests, full users or guests of other tenants', async () => {
  const tidy = await addOpenTenant(service)
  await service.admin.updateConfiguration(tidy, { auth: { guest: { idleDays: 20 } } })
  const [idle, active, linked, forgotten] = [await enter(tidy), await enter(tidy), await enter(tidy), await enter()]
  const client = tidy.client.withSession(linked.accessToken)
  await client.addIdentity({ method: 'password', email: newEmail(), password: 'correct horse' })
  const known = await signInByCode(service, tidy, { email: newEmail() })

  service.clock.advance(20 * DAY)
  await tidy.client.refreshSession({ refreshToken: active.refreshToken })
  await round()
  assert.equal(userIdsOf(service, tidy).length, 4)
  service.clock.advance(1)
  await round()
  assert.deepEqual(userIdsOf(service, tidy), [active, linked, known].map(({ user }) => user.id).sort())
  assert.ok(userIdsOf(service, tenant).includes(forgotten.user.id))
  const { refreshToken } = idle
  await refused(tidy.client.refreshSession({ refreshToken }), 'TOKEN_USER_NOT_FOUND')
})
