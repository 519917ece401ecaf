import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addFullAccount, addTenantForFullAccounts } from '../support/full-account.ts'
import { request } from '../support/http/raw-request.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'

let google: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;({ service, google } = await startServiceWithGoogle())
  tenant = await addTenantForFullAccounts(service, google)
})
after(() => Promise.all([service.close(), google.close()]))

const now = () => new Date(service.clock.now()).toISOString()
const withSession = ({ accessToken }: { accessToken: string }) => tenant.client.withSession(accessToken)

async function signInWithCode(to: { email: string } | { phone: string }) {
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', ...to })
  await tenant.client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  return withSession(await tenant.client.signIn({ method: 'otp', token: id }))
}

test('a guest has no identities', async () => {
  const session = await tenant.client.signIn({ method: 'guest' })
  const { accessToken: token } = session
  const answer = await request(service, 'GET /account', { key: tenant.key, token })
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
  assert.deepEqual(answer.body.data, { ...session.user, identities: [] })
  assert.deepEqual(session.user, {
    id: session.user.id,
    guest: true,
    methods: ['guest'],
    email: null,
    emailVerified: false,
    phone: null,
    phoneVerified: false,
    createdAt: now(),
  })
})

test('lists a password as one identity with its address, and an unverified address as none', async () => {
  const person = await addPerson(service, tenant)
  const account = await (await person.client()).getAccount()
  assert.deepEqual(account.methods, ['password'])
  assert.deepEqual(account.identities, [
    { id: 'password', method: 'password', email: person.email, phone: null, createdAt: null },
  ])
})

test('lists a verified address as an identity from its verification on', async () => {
  const email = await (await signInWithCode({ email: 'by-code@example.com' })).getAccount()
  assert.deepEqual(email.identities, [
    { id: 'email', method: 'otp', email: 'by-code@example.com', phone: null, createdAt: now() },
  ])
  const phone = await (await signInWithCode({ phone: '+33612349999' })).getAccount()
  assert.deepEqual(phone.identities, [
    { id: 'phone', method: 'otp', email: null, phone: '+33612349999', createdAt: now() },
  ])
  assert.deepEqual([email.methods, phone.methods, phone.email], [['otp'], ['otp'], null])
})

test('lists a provider identity under an id of its account, with the address from the provider if there is one', async () => {
  const named = await google.sign({ email: 'at-google@example.com', email_verified: false })
  const nameless = await google.sign({ email: undefined, email_verified: undefined })
  for (const [idToken, email] of [
    [named, 'at-google@example.com'],
    [nameless, null],
  ] as const) {
    const account = await withSession(await tenant.client.signIn({ method: 'google', idToken })).getAccount()
    const [identity, ...more] = account.identities
    assert.match(identity!.id, /^[0-9A-Z]{26}$/)
    assert.deepEqual(identity, { id: identity!.id, method: 'google', email, phone: null, createdAt: now() })
    assert.deepEqual([more, account.methods, account.email, account.emailVerified], [[], ['google'], null, false])
  }
})

test('lists password, e-mail, phone, then providers in the order they were linked', async () => {
  const { client, known } = await addFullAccount(service, tenant, google)
  service.clock.advance(1000)
  const idToken = await google.sign({ email: 'work@example.com' })
  const added = await client.addIdentity({ method: 'google', idToken })
  const account = await client.getAccount()
  assert.deepEqual(account, added)
  const { email, phone, googleEmail } = known
  assert.deepEqual(
    account.identities.map(({ method, email, phone }) => ({ method, email, phone })),
    [
      { method: 'password', email, phone: null },
      { method: 'otp', email, phone: null },
      { method: 'otp', email: null, phone },
      { method: 'google', email: googleEmail, phone: null },
      { method: 'google', email: 'work@example.com', phone: null },
    ],
  )
  assert.equal(account.identities.at(-1)!.createdAt, now())
})

test('changes nothing when reading or exporting', async () => {
  const { client } = await addFullAccount(service, tenant, google)
  await changesNothing(service, async () => {
    await client.getAccount()
    await client.exportAccount()
    await client.listSessions()
  })
})
