import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { AuthMethod } from '../../contract/tenants/tenant-configuration.ts'
import { changesNothing, storedOtp } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  addOpenTenant,
  atOnce,
  enteredCode,
  newEmail,
  newPhone,
  onlyWinner,
  type Recipient,
  signInByCode,
} from '../support/sign-in-methods.ts'

const password = 'correct horse'
let google: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({ identityProviders: google.settings })
  tenant = await addOpenTenant(service, { google })
})
after(() => Promise.all([service.close(), google.close()]))

const byGoogle = async (claims: Record<string, unknown> = {}) => {
  const idToken = await google.sign({ email_verified: false, ...claims })
  return { method: 'google' as const, idToken }
}
const enableOnly = (...methods: AuthMethod[]) => service.admin.updateConfiguration(tenant, { auth: { methods } })

/** The client of a user with a verified address. */
const withCode = async (to: Recipient) =>
  tenant.client.withSession((await signInByCode(service, tenant, to)).accessToken)

test('lists each sign-in method with its address, when it was linked, and the id that removes it', async () => {
  const [email, phone, elsewhere] = [newEmail(), newPhone(), newEmail()]
  const client = await withCode({ email })
  const createdAt = () => new Date(service.clock.now()).toISOString()
  const first = createdAt()
  service.clock.advance(1000)
  const second = createdAt()
  await client.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone }) })
  service.clock.advance(1000)
  await client.addIdentity({ method: 'password', password })
  const { identities } = await client.addIdentity(await byGoogle({ email: elsewhere }))
  const { id, ...ofGoogle } = identities[3]!
  assert.deepEqual(identities.slice(0, 3), [
    { id: 'password', method: 'password', email, phone: null, createdAt: null },
    { id: 'email', method: 'otp', email, phone: null, createdAt: first },
    { id: 'phone', method: 'otp', email: null, phone, createdAt: second },
  ])
  assert.match(id, /^[0-9A-Z]{26}$/)
  assert.deepEqual(ofGoogle, { method: 'google', email: elsewhere, phone: null, createdAt: createdAt() })
})

/** A user with all four kinds of identities, and their ids. */
async function everyKind() {
  const [email, phone, sub] = [newEmail(), newPhone(), randomUUID()]
  const client = await withCode({ email })
  await client.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone }) })
  await client.addIdentity({ method: 'password', password })
  const { identities } = await client.addIdentity(await byGoogle({ sub }))
  return { client, email, phone, sub, googleId: identities.at(-1)!.id }
}

test('a removed identity no longer signs in, and the session continues', async () => {
  const { client, email, phone, sub, googleId } = await everyKind()
  const { id } = await client.getAccount()
  const { id: reset } = await tenant.client.resetPassword({ step: 'challenge', email })
  await client.removeIdentity({ identityId: 'password' })
  await refused(tenant.client.signIn({ method: 'password', email, password }), 'INVALID_CREDENTIALS')
  const status = await tenant.client.getOtpStatus({ id: reset, scope: 'reset_password' })
  assert.equal(status.state, 'cancelled')

  await client.removeIdentity({ identityId: googleId })
  const { user, isNewUser } = await tenant.client.signIn(await byGoogle({ sub }))
  assert.equal(isNewUser, true)
  assert.notEqual(user.id, id)

  await client.removeIdentity({ identityId: 'phone' })
  assert.equal((await signInByCode(service, tenant, { phone })).isNewUser, true)
  const account = await client.getAccount()
  assert.deepEqual([account.id, account.methods, account.phone], [id, ['otp'], null])
})

test('removing the e-mail address removes the password and cancels what was sent to it', async () => {
  const { client, email } = await everyKind()
  const { id: userId } = await client.getAccount()
  const reset = await tenant.client.resetPassword({ step: 'challenge', email })
  const moving = await client.changePhone({ phone: newPhone() })
  await client.removeIdentity({ identityId: 'email' })
  const { methods, email: left, emailVerified } = await client.getAccount()
  assert.deepEqual([methods, left, emailVerified], [['otp', 'google'], null, false])
  for (const { id } of [reset, moving]) assert.equal(storedOtp(service, id)['state'], 'cancelled')
  await refused(tenant.client.signIn({ method: 'password', email, password }), 'INVALID_CREDENTIALS')
  const successor = await signInByCode(service, tenant, { email })
  assert.equal(successor.isNewUser, true)
  assert.notEqual(successor.user.id, userId)
})

test('keeps the last sign-in method; methods that the tenant disabled do not count', async () => {
  const { client, googleId } = await everyKind()
  const remove = (identityId: string) => client.removeIdentity({ identityId })
  try {
    for (const [methods, last] of [
      [['google'], googleId],
      [['password'], 'password'],
      [['password'], 'email'],
      [['otp', 'guest'], null],
    ] as const) {
      await enableOnly(...methods)
      if (last !== null) await changesNothing(service, () => refused(remove(last), 'LAST_IDENTITY'))
    }
    await remove('phone')
    await changesNothing(service, () => refused(remove('email'), 'LAST_IDENTITY'))
    await enableOnly('otp', 'google')
    await remove('email')
    await changesNothing(service, () => refused(remove(googleId), 'LAST_IDENTITY'))
  } finally {
    await enableOnly(...AuthMethod.options)
  }
  const { client: other } = await everyKind()
  for (const identityId of ['phone', 'email']) await other.removeIdentity({ identityId })
  const { identities } = await other.getAccount()
  assert.deepEqual(
    identities.map(({ method }) => method),
    ['google'],
  )
})

test('one of two identities at one provider can be removed, the other is the last', async () => {
  const guest = tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
  const { session } = await guest.addIdentity(await byGoogle())
  const client = tenant.client.withSession(session!.accessToken)
  const { identities } = await client.addIdentity(await byGoogle())
  const [one, two] = identities.map(({ id }) => id)
  await client.removeIdentity({ identityId: one! })
  await changesNothing(service, () => refused(client.removeIdentity({ identityId: two! }), 'LAST_IDENTITY'))
})

test('of the last two identities, removed at once, one stays', async () => {
  const client = await withCode({ email: newEmail() })
  const { identities } = await client.addIdentity(await byGoogle())
  const answers = await atOnce(2, async (index) => {
    await client.removeIdentity({ identityId: identities[index]!.id })
    return { removed: index }
  })
  assert.deepEqual(onlyWinner(answers).refusals, ['LAST_IDENTITY'])
  assert.equal((await client.getAccount()).identities.length, 1)
})

test('does not find an identity of another user or tenant, or an unknown one', async () => {
  const other = await everyKind()
  const client = await withCode({ phone: newPhone() })
  await client.addIdentity(await byGoogle())
  const ids = [other.googleId, other.googleId.toLowerCase(), 'email', 'password', 'google', 'guest', 'nobody', '%00']
  await changesNothing(service, async () => {
    for (const identityId of ids) await refused(client.removeIdentity({ identityId }), 'IDENTITY_NOT_FOUND')
  })
})

test('an unverified address is not an identity to remove', async () => {
  const { accessToken } = await tenant.client.signUp({ method: 'password', email: newEmail(), password })
  const client = tenant.client.withSession(accessToken)
  await client.addIdentity(await byGoogle())
  await changesNothing(service, () => refused(client.removeIdentity({ identityId: 'email' }), 'IDENTITY_NOT_FOUND'))
})

test('an address that was claimed with a password goes with it, so that its owner can sign up', async () => {
  const auth = { methods: ['password', 'google'], google: { clientIds: [google.clientId] } }
  const withoutCodes = await service.addTenant({ configuration: { auth } })
  const { accessToken } = await withoutCodes.client.signIn(await byGoogle())
  const squatter = withoutCodes.client.withSession(accessToken)
  const email = newEmail()
  await squatter.addIdentity({ method: 'password', password, email })
  await squatter.removeIdentity({ identityId: 'password' })
  const { email: left, methods } = await squatter.getAccount()
  assert.deepEqual([left, methods], [null, ['google']])
  await withoutCodes.client.signUp({ method: 'password', email, password })
})
