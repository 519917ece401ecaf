import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { changesNothing, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, newProviderKey, startIdentityProvider } from '../support/identity-provider.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { type ServiceWithProviders, startServiceWithProviders } from '../support/service-with-providers.ts'
import { addOpenTenant, newEmail, signInByCode, userIdsOf } from '../support/sign-in-methods.ts'

let google: IdentityProvider
let apple: IdentityProvider
let facebook: IdentityProvider
let service: TestService
let tenant: TestTenant
let started: ServiceWithProviders

before(async () => {
  started = await startServiceWithProviders()
  ;({ service, tenant, google, apple, facebook } = started)
})
after(() => started.close())

const present = (method: SocialProvider, idToken: string, { client } = tenant) => client.signIn({ method, idToken })
const byGoogle = async (claims: Record<string, unknown>, at = tenant) =>
  present('google', await google.sign(claims), at)
const identitiesOf = (userId: string) =>
  storedRows(
    service,
    'SELECT provider, subject, email FROM identities WHERE user_id = ? ORDER BY provider, subject',
    userId,
  )
/** A user who proved the address with a code. */
const prove = (email: string) => signInByCode(service, tenant, { email })

test('signs in the user who proved the verified address, with their data', async () => {
  const [email, sub] = [newEmail(), randomUUID()]
  const known = await prove(email)
  const client = tenant.client.withSession(known.accessToken)
  await client.addIdentity({ method: 'password', password: 'correct horse' })
  const { user, isNewUser } = await byGoogle({ sub, email: ` ${email.toUpperCase()} ` })
  assert.deepEqual([user, isNewUser], [{ ...known.user, methods: ['password', 'otp', 'google'] }, false])
  assert.deepEqual(identitiesOf(user.id), [{ provider: 'google', subject: sub, email }])
  assert.equal((await client.getAccount()).id, user.id)
  await tenant.client.signIn({ method: 'password', email, password: 'correct horse' })
})

test('links no user by an unverified address', async () => {
  const [proven, claimed, free] = [newEmail(), newEmail(), newEmail()]
  await prove(proven)
  await tenant.client.signUp({ method: 'password', email: claimed, password: 'correct horse' })
  for (const email of [proven, claimed, free]) {
    const tokens = [
      ['google', await google.sign({ email, email_verified: false })],
      ['google', await google.sign({ email, email_verified: undefined })],
      ['apple', await apple.sign({ email, email_verified: 'false' })],
      ['facebook', await facebook.sign({ email })],
      ['facebook', await facebook.sign({ email, email_verified: true })],
    ] as const
    for (const [method, idToken] of tokens) {
      const { user, isNewUser } = await present(method, idToken)
      assert.deepEqual([isNewUser, user.methods, user.email, user.emailVerified], [true, [method], null, false])
      assert.equal(identitiesOf(user.id)[0]?.['email'], email)
    }
  }
  await tenant.client.signIn({ method: 'password', email: claimed, password: 'correct horse' })
  assert.equal((await prove(free)).isNewUser, true)
})

test('a user of a provider keeps the account when the owner of its mistyped address proves it', async () => {
  const [email, sub] = [newEmail(), randomUUID()]
  const mistyped = await tenant.client.signUp({ method: 'password', email, password: 'correct horse' })
  const client = tenant.client.withSession(mistyped.accessToken)
  await client.addIdentity({ method: 'google', idToken: await google.sign({ sub, email: newEmail() }) })
  assert.notEqual((await prove(email)).user.id, mistyped.user.id)
  assert.equal((await byGoogle({ sub })).user.id, mistyped.user.id)
})

test('recognises a user by the provider’s id after a change of address', async () => {
  const [sub, email, moved] = [randomUUID(), newEmail(), newEmail()]
  const first = await byGoogle({ sub, email })
  const owner = await prove(moved)
  for (const claims of [
    { email: moved },
    { email: newEmail() },
    { email: moved, email_verified: false },
    { email: null },
  ]) {
    const again = await byGoogle({ sub, ...claims })
    assert.deepEqual([again.isNewUser, again.user], [false, first.user])
    assert.equal(identitiesOf(first.user.id)[0]?.['email'], claims.email)
  }
  assert.deepEqual(identitiesOf(owner.user.id), [])
  assert.notEqual((await byGoogle({ sub: sub.toUpperCase(), email: newEmail() })).user.id, first.user.id)
})

test('treats the same id at another provider as a different account', async () => {
  const sub = randomUUID()
  const one = await byGoogle({ sub, email_verified: false })
  const two = await present('apple', await apple.sign({ sub, email_verified: false }))
  assert.equal(two.isNewUser, true)
  assert.notEqual(two.user.id, one.user.id)
})

test('lists one sign-in method for two accounts at one provider', async () => {
  const email = newEmail()
  const { user } = await byGoogle({ email })
  assert.equal((await byGoogle({ email })).user.id, user.id)
  assert.equal(identitiesOf(user.id).length, 2)
  assert.deepEqual((await byGoogle({ email })).user.methods, ['otp', 'google'])
})

test('changes nothing for an invalid token', async () => {
  const now = Math.floor(service.clock.now() / 1000)
  const stranger = await newProviderKey()
  const guest = tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
  const tokens: Record<string, string> = {
    'no token': 'token',
    'of another provider': await apple.sign(),
    'for another application': await google.sign({ aud: apple.clientId }),
    'of another issuer': await google.sign({ iss: 'https://accounts.example' }),
    expired: await google.sign({ iat: now - 7200, exp: now - 3600 }),
    'signed with an unknown key': await google.sign({}, { key: { ...stranger, kid: google.key.kid } }),
    'with a nonce that is not given': await google.sign({ nonce: 'n' }),
    'without a subject': await google.sign({ sub: undefined }),
    'an access token of ours': (await tenant.client.signIn({ method: 'guest' })).accessToken,
  }
  await changesNothing(service, async () => {
    for (const [name, idToken] of Object.entries(tokens)) {
      await refused(present('google', idToken), 'INVALID_SOCIAL_TOKEN').catch((error) =>
        assert.fail(`${name}: ${error}`),
      )
      await refused(guest.addIdentity({ method: 'google', idToken }), 'INVALID_SOCIAL_TOKEN')
    }
    const idToken = await google.sign()
    const withNonce = { method: 'google' as const, idToken, nonce: 'n' }
    await refused(tenant.client.signIn(withNonce), 'INVALID_SOCIAL_TOKEN')
    await refused(guest.addIdentity(withNonce), 'INVALID_SOCIAL_TOKEN')
    await invalid(tenant.client.signIn({ method: 'google' } as never), { idToken: 'Required' })
    await invalid(present('google', 'x'.repeat(8193)), { idToken: 'String must contain at most 8192 character(s)' })
  })
})

test('rejects a token for another tenant’s application, and keeps the users of tenants apart', async () => {
  const other = await service.addTenant({
    configuration: { auth: { methods: ['google'], google: { clientIds: ['of-another-tenant'] } } },
  })
  const claims = { sub: randomUUID(), email: newEmail() }
  const here = await byGoogle(claims)
  await changesNothing(service, () => refused(byGoogle(claims, other), 'INVALID_SOCIAL_TOKEN'))
  const there = await byGoogle({ ...claims, aud: 'of-another-tenant' }, other)
  assert.equal(there.isNewUser, true)
  assert.notEqual(there.user.id, here.user.id)
  assert.equal((await byGoogle(claims)).user.id, here.user.id)
})

test('rejects a disabled method, and reports an enabled one without client ids as not configured', async () => {
  const half = await service.addTenant({
    configuration: { auth: { methods: ['google'], apple: { clientIds: [apple.clientId] } } },
  })
  const tokens = { google: await google.sign(), apple: await apple.sign() }
  await changesNothing(service, async () => {
    await refused(present('apple', tokens.apple, half), 'AUTH_METHOD_NOT_ENABLED')
    await refused(present('facebook', 'token', half), 'AUTH_METHOD_NOT_ENABLED')
    await refused(present('google', tokens.google, half), 'TENANT_NOT_CONFIGURED')
  })
})

test('asks to retry while the provider’s keys are unavailable, and then accepts the same token', async () => {
  await using down = await startIdentityProvider('facebook', { clock: service.clock })
  await using other = await startTestService({ identityProviders: down.settings, clock: service.clock })
  const there = await addOpenTenant(other, { facebook: down })
  const idToken = await down.sign()
  down.fail(503)
  await changesNothing(other, async () => {
    const { retryAfter } = await refused(present('facebook', idToken, there), 'SERVICE_UNAVAILABLE')
    assert.equal(retryAfter, 10)
  })
  down.restore()
  await changesNothing(other, () => refused(present('facebook', idToken, there), 'SERVICE_UNAVAILABLE'))
  service.clock.advance(10_000)
  assert.equal((await present('facebook', idToken, there)).isNewUser, true)
})

test('creates one user for 20 parallel first sign-ins by accounts with the same address', async () => {
  const [email, sub] = [newEmail(), randomUUID()]
  const claims = [
    { sub: randomUUID(), email_verified: false },
    { sub, email },
  ]
  for (const ofOne of claims) {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const method = index % 2 === 1 && 'email' in ofOne ? ('apple' as const) : ('google' as const)
        return { method, idToken: await (method === 'apple' ? apple : google).sign(ofOne) }
      }),
    )
    const sessions = await Promise.all(tokens.map((proof) => tenant.client.signIn(proof)))
    assert.equal(new Set(sessions.map(({ user }) => user.id)).size, 1)
    assert.equal(sessions.filter(({ isNewUser }) => isNewUser).length, 1)
    assert.equal(identitiesOf(sessions[0]!.user.id).length, 'email' in ofOne ? 2 : 1)
  }
})

test('rejects a user who may not sign in, and adds no identity', async () => {
  const email = newEmail()
  const who = { tenantId: tenant.tenantId, userId: (await prove(email)).user.id }
  const sub = randomUUID()
  const known = { tenantId: tenant.tenantId, userId: (await byGoogle({ sub, email_verified: false })).user.id }
  for (const taken of [{ restrictedCapabilities: ['sign_in' as const] }, { suspension: {} }]) {
    for (const user of [who, known]) await service.admin.updateUser(user, taken)
    await changesNothing(service, async () => {
      await refused(byGoogle({ email }), 'RESTRICTED_CAPABILITY')
      await refused(byGoogle({ sub, email: newEmail() }), 'RESTRICTED_CAPABILITY')
    })
    for (const user of [who, known]) {
      await service.admin.updateUser(user, { restrictedCapabilities: [], suspension: null })
    }
  }
  assert.equal((await byGoogle({ email })).user.id, who.userId)
})

test('creates no user with sign-up disabled, and signs in existing ones', async () => {
  const closed = await addOpenTenant(service, { google })
  const [sub, email] = [randomUUID(), newEmail()]
  const linked = await byGoogle({ sub }, closed)
  const proven = await signInByCode(service, closed, { email })
  const users = userIdsOf(service, closed)
  await service.admin.updateTenant(closed, { restrictedCapabilities: ['sign_up'] })
  await changesNothing(service, async () => {
    await refused(byGoogle({ email: newEmail() }, closed), 'RESTRICTED_CAPABILITY')
    await refused(byGoogle({ email, email_verified: false }, closed), 'RESTRICTED_CAPABILITY')
  })
  assert.equal((await byGoogle({ sub }, closed)).user.id, linked.user.id)
  assert.equal((await byGoogle({ email }, closed)).user.id, proven.user.id)
  assert.deepEqual(userIdsOf(service, closed), users)
})

test('links an account no earlier than the last change of the user, unless the clock was wrong then', async () => {
  const now = service.clock.now()
  const linkedAt = async (changedAt: number) => {
    const { user } = await prove(newEmail())
    await writeStored(service, 'UPDATE users SET updated_at = ? WHERE id = ?', changedAt, user.id)
    await byGoogle({ sub: randomUUID(), email: user.email })
    return Number(storedRows(service, 'SELECT created_at FROM identities WHERE user_id = ?', user.id)[0]!['created_at'])
  }
  assert.deepEqual([await linkedAt(now + 1), await linkedAt(now + 365 * 86_400_000)], [now + 1, now])
})
