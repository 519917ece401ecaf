import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createLocalRateLimiter } from '../../server/limits/local-rate-limiter.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { signInByCode } from '../support/sign-in-methods.ts'

let service: TestService
before(async () => {
  service = await startTestService({ limitsText: 'all=off,codes-per-recipient=3/h' })
})
after(() => service.close())

const password = 'correct horse battery'
const [oldPhone, newPhone] = ['+33612345678', '+33612345679']

async function newUser(user: object = { email: 'ada@example.com', emailVerified: true, password }) {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  const { id: userId } = await service.admin.createUser({ tenantId }, user)
  const path = { tenantId, userId }
  return {
    ...tenant,
    path,
    update: (changes: Parameters<typeof service.admin.updateUser>[1]) => service.admin.updateUser(path, changes),
    /** The kinds and recipients of all messages, newest first. */
    async messages(): Promise<string[]> {
      await service.service.services.delivery.drain()
      const { items } = await service.admin.listMessages({ tenantId })
      return items.map(({ kind, recipient }) => `${kind} ${recipient}`)
    },
  }
}

test('a replaced address is verified unless the operator says otherwise, and the old one gets a notice', async () => {
  const { update, messages } = await newUser({ email: 'ada@example.com', emailVerified: true, phone: oldPhone })
  const first = await update({ email: 'new@example.com' })
  assert.deepEqual([first.email, first.emailVerified], ['new@example.com', true])
  assert.deepEqual(await messages(), ['email_changed ada@example.com'])
  const second = await update({
    email: 'newer@example.com',
    emailVerified: false,
    phone: newPhone,
    phoneVerified: false,
  })
  assert.deepEqual([second.email, second.emailVerified], ['newer@example.com', false])
  assert.deepEqual([second.phone, second.phoneVerified], [newPhone, false])
  const notices = ['email_changed ada@example.com', 'email_changed new@example.com', 'phone_changed new@example.com']
  assert.deepEqual((await messages()).sort(), notices)
})

test('verifies a stored address and takes the verification back, without a notice', async () => {
  const { path, update, messages } = await newUser({ email: 'ada@example.com', phone: oldPhone })
  const verified = await update({ emailVerified: true, phoneVerified: true })
  assert.deepEqual([verified.emailVerified, verified.phoneVerified, verified.methods], [true, true, ['otp']])
  const { identities } = await service.admin.listUserIdentities(path)
  const at = identities[0]!.createdAt
  service.clock.advance(1_000)
  // The time of the first verification stays.
  await update({ emailVerified: true })
  assert.equal((await service.admin.listUserIdentities(path)).identities[0]!.createdAt, at)
  const taken = await update({ emailVerified: false })
  assert.deepEqual([taken.email, taken.emailVerified, taken.phoneVerified], ['ada@example.com', false, true])
  assert.deepEqual(await messages(), [])
})

test('a password stays when the operator verifies an address, and goes with its first proof by a person', async () => {
  for (const emailVerified of [true, false]) {
    const user = await newUser({ email: 'ada@example.com', password })
    await user.update({ emailVerified })
    const { methods } = (await signInByCode(service, user, { email: 'ada@example.com' })).user
    assert.deepEqual(methods, emailVerified ? ['password', 'otp'] : ['otp'])
  }
})

test('cancels pending codes when an address loses its verification, and not when nothing is lost', async () => {
  const { client, update } = await newUser()
  const { id } = await client.resetPassword({ step: 'challenge', email: 'ada@example.com' })
  const state = async () => (await client.getOtpStatus({ id, scope: 'reset_password' })).state
  await update({ emailVerified: true })
  assert.equal(await state(), 'pending')
  await update({ emailVerified: false })
  assert.equal(await state(), 'cancelled')
})

test('refuses to verify an address that the user does not have; nothing is stored', async () => {
  const { path, update } = await newUser()
  await invalid(update({ phoneVerified: true, suspension: {} }), { phone: 'Required' })
  await invalid(update({ phoneVerified: false }), { phone: 'Required' })
  assert.equal((await service.admin.getUser(path)).suspension, null)
})

test('lists the identities of a user as the account does', async () => {
  const { path, client, key } = await newUser()
  const { accessToken } = await client.signIn({ method: 'password', email: 'ada@example.com', password })
  const answer = await fetch(`${service.baseUrl}/account`, {
    headers: { 'x-tenant-key': key, authorization: `Bearer ${accessToken}` },
  })
  const { data } = (await answer.json()) as { data: { identities: object[] } }
  assert.equal(data.identities.length, 2)
  assert.deepEqual((await service.admin.listUserIdentities(path)).identities, data.identities)
})

test('a code that an operator sends resets the password', async () => {
  const { path, client, messages } = await newUser()
  const { otpId } = await service.admin.sendPasswordReset(path)
  assert.deepEqual(await messages(), ['otp ada@example.com'])
  const [id, next] = [otpId!, 'another horse battery']
  await client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await client.resetPassword({ step: 'confirm', token: id, password: next })
  await client.signIn({ method: 'password', email: 'ada@example.com', password: next })
})

test('an operator without codes:read sends a code and gets no id', async () => {
  const { path, messages } = await newUser()
  const { key } = await service.admin.createOperator({ name: 'Support', role: 'support' })
  const support = createTenantryAdmin({ baseUrl: service.baseUrl, adminKey: key })
  assert.deepEqual(await support.sendPasswordReset(path), { otpId: null })
  assert.deepEqual(await messages(), ['otp ada@example.com'])
})

test('a code that an operator sends goes to the address that replaces another one meanwhile', async () => {
  const limiter = createLocalRateLimiter()
  let onTake = async () => {}
  const take = async (...asked: Parameters<typeof limiter.take>) => {
    await onTake()
    return limiter.take(...asked)
  }
  await using busy = await startTestService({
    limitsText: 'all=off,codes-per-recipient=1/h',
    limiter: { ...limiter, take },
  })
  const { tenantId, client } = await busy.addTenant()
  const { id: userId } = await busy.admin.createUser(
    { tenantId },
    { email: 'ada@example.com', emailVerified: true, password },
  )
  // After the address is read, before the code is issued.
  onTake = async () => {
    onTake = async () => {}
    await busy.admin.updateUser({ tenantId, userId }, { email: 'new@example.com' })
  }
  const { otpId } = await busy.admin.sendPasswordReset({ tenantId, userId })
  await client.verifyOtp({ id: otpId!, scope: 'reset_password', code: await busy.codeOf(otpId!) })
  const { items } = await busy.admin.listMessages({ tenantId }, { otpId: otpId! })
  assert.deepEqual(
    items.map(({ recipient }) => recipient),
    ['new@example.com'],
  )
  // No code was counted for the address that lost it.
  await busy.admin.createUser({ tenantId }, { email: 'ada@example.com', password })
  await client.resetPassword({ step: 'challenge', email: 'ada@example.com' })
})

test('sends no code where it could not be used', async () => {
  const unverified = await newUser({ email: 'ada@example.com', password })
  await refused(service.admin.sendPasswordReset(unverified.path), 'PASSWORD_NOT_RESETTABLE')
  const passwordless = await newUser({ email: 'ada@example.com', emailVerified: true })
  await refused(service.admin.sendPasswordReset(passwordless.path), 'PASSWORD_NOT_RESETTABLE')
  const { path, messages } = await newUser()
  await refused(service.admin.sendPasswordReset({ ...path, userId: 'unknown' }), 'USER_NOT_FOUND')
  await service.admin.updateTenant(path, { restrictedCapabilities: ['reset_password'] })
  await refused(service.admin.sendPasswordReset(path), 'RESTRICTED_CAPABILITY')
  await service.admin.updateTenant(path, { restrictedCapabilities: [] })
  await service.admin.updateConfiguration(path, { auth: { methods: ['otp'] } })
  await refused(service.admin.sendPasswordReset(path), 'RESTRICTED_CAPABILITY')
  await service.admin.replaceConfiguration(path, {})
  await refused(service.admin.sendPasswordReset(path), 'RESTRICTED_CAPABILITY')
  assert.deepEqual(await messages(), [])
})

test('codes of operators count towards the limit of codes to an address', async () => {
  const { path, messages } = await newUser()
  for (let sent = 0; sent < 3; sent++) await service.admin.sendPasswordReset(path)
  await refused(service.admin.sendPasswordReset(path), 'TOO_MANY_REQUESTS')
  assert.equal((await messages()).length, 3)
})
