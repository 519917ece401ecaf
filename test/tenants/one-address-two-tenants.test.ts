import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newHere } from '../support/attacks/id-positions.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let google: IdentityProvider
let a: TestTenant
let b: TestTenant

before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({ identityProviders: google.settings })
  const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: [google.clientId] } }
  a = await service.addTenant({ configuration: { auth } })
  b = await service.addTenant({ configuration: { auth } })
})
after(() => Promise.all([service.close(), google.close()]))

const rowsOfA = () =>
  ['users', 'identities', 'otps', 'sessions', 'outbox'].map((table) =>
    storedRows(service, `SELECT * FROM ${table} WHERE tenant_id = ? ORDER BY 1, 2`, a.tenantId),
  )

interface Taken {
  readonly id: string
  readonly email: string
  readonly phone: string
}

/** Imports one user and asserts that the import succeeds. */
async function importOne(user: object): Promise<object> {
  const imported = await importInto(service, b, [user])
  assert.deepEqual(imported.counts, { read: 1, imported: 1, failed: 0 })
  return imported
}

/** Operations that create something at tenant B with a given address or id. */
const creations: Record<string, (taken: Taken) => Promise<object>> = {
  'issueOtp email': ({ email }) => b.client.issueOtp({ scope: 'otp_signin', email }),
  'issueOtp phone': ({ phone }) => b.client.issueOtp({ scope: 'otp_signin', phone }),
  'changeEmail email': async ({ email }) => (await (await addPerson(service, b)).client()).changeEmail({ email }),
  'changePhone phone': async ({ phone }) => (await (await addPerson(service, b)).client()).changePhone({ phone }),
  'signUp email': ({ email }) => b.client.signUp({ method: 'password', email, password: 'long enough' }),
  'createUser email': ({ email }) => service.admin.createUser(b, { email }),
  'createUser phone': ({ phone }) => service.admin.createUser(b, { phone }),
  'updateUser email': async ({ email }) =>
    service.admin.updateUser({ tenantId: b.tenantId, userId: (await addPerson(service, b)).userId }, { email }),
  'updateUser phone': async ({ phone }) =>
    service.admin.updateUser({ tenantId: b.tenantId, userId: (await addPerson(service, b)).userId }, { phone }),
  'importUsers id': ({ id }) => importOne({ id, guest: true }),
  'importUsers email': ({ email }) => importOne({ email }),
  'importUsers phone': ({ phone }) => importOne({ phone }),
  'sendTestMessage to': ({ email }) => service.admin.sendTestMessage(b, { method: 'email', to: email }),
  'addIdentity email': async ({ email }) => {
    const { accessToken } = await b.client.signIn({ method: 'guest' })
    const password = 'long enough'
    return b.client.addIdentity({ method: 'password', email, password }, { accessToken })
  },
}

test('allows an address used at one tenant in every creating operation of another', async () => {
  // Operators belong to no tenant.
  const ofTenants = [...newHere].filter((position) => !position.includes('Operator'))
  assert.deepEqual(new Set(Object.keys(creations)), new Set(ofTenants))
  for (const [index, make] of Object.values(creations).entries()) {
    const addresses = { email: `taken-${index}@example.com`, phone: `+336129999${10 + index}` }
    const proven = { emailVerified: true, phoneVerified: true, password: 'long enough' }
    const { id } = await service.admin.createUser(a, { ...addresses, ...proven })
    await service.service.services.delivery.drain()
    const before = rowsOfA()
    await make({ id, ...addresses })
    assert.deepEqual(rowsOfA(), before)
  }
})

test('resets the password at one tenant only, for an address that two tenants have', async () => {
  const email = 'in-both@example.com'
  for (const tenant of [a, b]) await service.admin.createUser(tenant, { email, password: 'correct horse' })
  const before = rowsOfA()
  const { id } = await b.client.resetPassword({ step: 'challenge', email })
  await b.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await b.client.resetPassword({ step: 'confirm', token: id, password: 'only at tenant b' })
  assert.deepEqual(rowsOfA(), before)
  await a.client.signIn({ method: 'password', email, password: 'correct horse' })
  await refused(a.client.signIn({ method: 'password', email, password: 'only at tenant b' }), 'INVALID_CREDENTIALS')
  await b.client.signIn({ method: 'password', email, password: 'only at tenant b' })
})

test('creates separate users at two tenants for one provider account', async () => {
  const claims = { sub: 'of-both', email: 'of-both@example.com' }
  const [ofA, ofB] = [
    await a.client.signIn({ method: 'google', idToken: await google.sign(claims) }),
    await b.client.signIn({ method: 'google', idToken: await google.sign(claims) }),
  ]
  assert.deepEqual([ofA.isNewUser, ofB.isNewUser], [true, true])
  assert.notEqual(ofA.user.id, ofB.user.id)
  await a.client.deleteAccount({ accessToken: ofA.accessToken })
  assert.equal((await b.client.getAccount({ accessToken: ofB.accessToken })).id, ofB.user.id)
})

test('changes an address at one tenant only', async () => {
  const email = 'moves@example.com'
  for (const tenant of [a, b]) await service.admin.createUser(tenant, { email, password: 'correct horse' })
  await service.service.services.delivery.drain()
  const before = rowsOfA()
  const { accessToken } = await b.client.signIn({ method: 'password', email, password: 'correct horse' })
  const { id } = await b.client.changeEmail({ email: 'moved@example.com' }, { accessToken })
  await b.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  assert.equal((await b.client.getAccount({ accessToken })).email, 'moved@example.com')
  assert.deepEqual(rowsOfA(), before)
})
