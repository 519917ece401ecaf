import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { refused } from '../support/refused.ts'
import { type ServiceWithProviders, startServiceWithProviders } from '../support/service-with-providers.ts'
import { isOpen, newEmail, newPhone, signInByCode } from '../support/sign-in-methods.ts'

const password = 'correct horse'
let fixture: ServiceWithProviders
before(async () => {
  fixture = await startServiceWithProviders()
})
after(() => fixture.close())

/** A user with a password, with a number and an account at Google that a thief has added. */
async function robbed() {
  const { service, tenant, google } = fixture
  const email = newEmail()
  const { id: userId } = await service.admin.createUser(tenant, { email, emailVerified: true, password })
  const session = await tenant.client.signIn({ method: 'password', email, password })
  const thief = tenant.client.withSession(session.accessToken)
  const phone = await addressTakeover(service, tenant).change('phone', thief, newPhone())
  const sub = userId
  const signIn = async () =>
    tenant.client.signIn({ method: 'google', idToken: await google.sign({ sub, email_verified: false }) })
  const idToken = await google.sign({ sub, email_verified: false })
  const { identities } = await thief.addIdentity({ method: 'google', idToken })
  return { path: { tenantId: tenant.tenantId, userId }, email, phone, session, signIn, googleId: identities.at(-1)!.id }
}

const noticesTo = async (recipient: string) => {
  await fixture.service.service.services.delivery.drain()
  const { messages } = await fixture.service.admin.listTestingChannelMessages({ recipient })
  return messages.filter(({ scope }) => scope === null)
}

test('an operator removes what a thief has added; the user gets notices, without a code that brings it back', async () => {
  const { admin } = fixture.service
  const { path, email, phone, session, signIn, googleId } = await robbed()
  const before = (await noticesTo(email)).length
  await admin.removeUserIdentity({ ...path, identityId: googleId })
  await admin.removeUserIdentity({ ...path, identityId: 'phone' })
  const { identities } = await admin.listUserIdentities(path)
  assert.deepEqual(
    identities.map(({ id }) => id),
    ['password', 'email'],
  )
  assert.notEqual((await signIn()).user.id, path.userId)
  assert.notEqual((await signInByCode(fixture.service, fixture.tenant, { phone })).user.id, path.userId)
  assert.equal((await noticesTo(email)).length - before, 2)
  assert.deepEqual(
    (await noticesTo(phone)).filter(({ code }) => code !== null),
    [],
  )
  await isOpen(fixture.tenant, session)
})

test('the last way to sign in stays, and an id that is not in the list is unknown', async () => {
  const { service, tenant } = fixture
  const { user } = await signInByCode(service, tenant, { email: newEmail() })
  const remove = (identityId: string, userId = user.id) =>
    service.admin.removeUserIdentity({ tenantId: tenant.tenantId, userId, identityId })
  await changesNothing(service, async () => {
    await refused(remove('email'), 'LAST_IDENTITY')
    await refused(remove('phone'), 'IDENTITY_NOT_FOUND')
    await refused(remove('email', 'unknown'), 'USER_NOT_FOUND')
  })
})
