import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { storedRows } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, newEmail, signInByCode, userWithoutMethods } from '../support/sign-in-methods.ts'

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

const byGoogle = async (claims: Record<string, unknown>) =>
  tenant.client.signIn({ method: 'google', idToken: await google.sign(claims) })
const link = async (accessToken: string, claims: Record<string, unknown>) =>
  tenant.client.withSession(accessToken).addIdentity({ method: 'google', idToken: await google.sign(claims) })

test('does not link a Google address outside gmail.com without `hd` to the account that proved the address', async () => {
  const email = newEmail()
  const owner = await signInByCode(service, tenant, { email })
  for (const hd of [undefined, 'other.example']) {
    const { user, isNewUser } = await byGoogle({ email, hd })
    assert.notEqual(user.id, owner.user.id)
    assert.deepEqual([user, isNewUser], [{ ...user, ...userWithoutMethods, methods: ['google'] }, true])
  }
  assert.deepEqual(storedRows(service, 'SELECT * FROM identities WHERE user_id = ?', owner.user.id), [])
  assert.equal((await byGoogle({ email })).user.id, owner.user.id, 'with `hd` it links')
})

test('lets the owner of the account link such a Google account and sign in with it', async () => {
  const [email, sub] = [newEmail(), randomUUID()]
  const { user, accessToken } = await signInByCode(service, tenant, { email })
  await link(accessToken, { sub, email, hd: undefined })
  assert.equal((await byGoogle({ sub, email, hd: undefined })).user.id, user.id)
})

test('does not verify an account by a Google address outside gmail.com without `hd`', async () => {
  const email = newEmail()
  const { user, accessToken } = await tenant.client.signUp({ method: 'password', email, password })
  assert.notEqual((await byGoogle({ email, hd: undefined })).user.id, user.id)
  await tenant.client.signIn({ method: 'password', email, password })

  const account = await link(accessToken, { email, hd: undefined })
  assert.deepEqual([account.emailVerified, account.methods], [false, ['password', 'google']])
})

test('does not adopt such an address with an explicit link', async () => {
  const { accessToken } = await tenant.client.signIn({ method: 'guest' })
  const account = await link(accessToken, { hd: undefined })
  assert.deepEqual([account.guest, account.email, account.methods], [false, null, ['google']])
})

test('links a gmail.com address without `hd` when Google has verified it', async () => {
  const email = `${randomUUID()}@gmail.com`
  const owner = await signInByCode(service, tenant, { email })
  assert.notEqual((await byGoogle({ email, email_verified: false })).user.id, owner.user.id)
  assert.equal((await byGoogle({ email })).user.id, owner.user.id)
})
