import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant
let at: ReturnType<typeof addressTakeover>

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
  at = addressTakeover(service, tenant)
})
after(() => service.close())

test('invalidates a password that was replaced since; its owner resets it', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  const stolen = await at.change('email', attacker)
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: stolen })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'chosen by the attacker' })
  await tenant.client.recoverAccount(await at.undoOf(person.email))
  for (const password of [person.password, 'chosen by the attacker']) {
    await refused(person.signIn(password), 'INVALID_CREDENTIALS')
  }
  const reset = await person.verified('reset_password')
  await tenant.client.resetPassword({ step: 'confirm', token: reset, password: 'chosen by the owner' })
  assert.equal((await person.signIn('chosen by the owner')).user.id, person.userId)
})

test('a password removed since can be reset; one added since is removed', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  await attacker.removeIdentity({ identityId: 'email' })
  assert.equal((await at.accountOf(person)).methods.includes('password'), false)
  await tenant.client.recoverAccount(await at.undoOf(person.email))
  assert.ok((await at.accountOf(person)).methods.includes('password'))
  await refused(person.signIn(), 'INVALID_CREDENTIALS')

  const [email, phone] = [newEmail(), newPhone()]
  const session = await signInByCode(service, tenant, { email })
  const client = tenant.client.withSession(session.accessToken)
  await at.change('phone', client, phone)
  service.clock.advance(1000)
  await at.change('phone', client)
  await client.addIdentity({ method: 'password', password: 'added by the attacker' })
  await tenant.client.recoverAccount(await at.undoOf(phone))
  const { methods } = await service.admin.getUser({ tenantId: tenant.tenantId, userId: session.user.id })
  assert.deepEqual(methods, ['otp'])
})

test('an address that was claimed with the added password goes with it', async () => {
  const phone = newPhone()
  const { user, accessToken } = await signInByCode(service, tenant, { phone })
  const attacker = tenant.client.withSession(accessToken)
  service.clock.advance(1000)
  await at.change('phone', attacker)
  await attacker.addIdentity({ method: 'password', password: 'added by the attacker', email: newEmail() })
  await tenant.client.recoverAccount(await at.undoOf(phone))
  const account = await service.admin.getUser({ tenantId: tenant.tenantId, userId: user.id })
  assert.deepEqual([account.phone, account.email, account.methods], [phone, null, ['otp']])
})

test('stores no password for an account that has no e-mail address; its owner chooses one with an address', async () => {
  const { person, attacker } = await at.victimAndAttacker()
  await at.change('phone', attacker)
  await attacker.removeIdentity({ identityId: 'email' })
  await tenant.client.recoverAccount(await at.undoOf(person.phone))
  const { user, accessToken } = await signInByCode(service, tenant, { phone: person.phone })
  const client = tenant.client.withSession(accessToken)
  const { id, identities } = await client.getAccount()
  assert.deepEqual([id, user.id], [person.userId, person.userId])
  assert.deepEqual(
    identities.map((identity) => identity.id),
    ['phone'],
  )
  const password = 'chosen by the owner'
  await client.addIdentity({ method: 'password', password, email: person.email })
  assert.equal((await person.signIn(password)).user.id, person.userId)
})
