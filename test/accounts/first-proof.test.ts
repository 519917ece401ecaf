import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { AuthMethod } from '../../contract/tenants/tenant-configuration.ts'
import { changesNothing, storedOtp, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  addOpenTenant,
  enteredCode,
  isOpen,
  isOver,
  newEmail,
  newPhone,
  signInByCode,
} from '../support/sign-in-methods.ts'

const password = 'correct horse'
const newPassword = 'battery staple'
let google: IdentityProvider
let apple: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;[google, apple] = await Promise.all([startIdentityProvider('google'), startIdentityProvider('apple')])
  service = await startTestService({ identityProviders: { ...google.settings, ...apple.settings } })
  tenant = await addOpenTenant(service, { google, apple })
})
after(() => Promise.all([service, google, apple].map((peer) => peer.close())))

const byPassword = (email: string, given = password) =>
  tenant.client.signIn({ method: 'password', email, password: given })
const byGoogle = async (claims: Record<string, unknown>) =>
  tenant.client.signIn({ method: 'google', idToken: await google.sign(claims) })
const byApple = async (claims: Record<string, unknown>) =>
  tenant.client.signIn({ method: 'apple', idToken: await apple.sign(claims) })
const byReset = async (email: string): Promise<SessionAnswer> => {
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: newPassword })
  return byPassword(email, newPassword)
}
/** Sends a code to an address and verifies it. */
async function enter(client: TestTenant['client'], id: string, scope: 'email_verification' | 'phone_verification') {
  await client.verifyOtp({ id, scope, code: await service.codeOf(id) })
}

/** An account with an unverified address and nothing else verified. */
async function squat(email = newEmail()) {
  const { accessToken, user } = await tenant.client.signUp({ method: 'password', email, password })
  const client = tenant.client.withSession(accessToken)
  const sessions = [await byPassword(email), await byPassword(email)]
  const reset = await tenant.client.resetPassword({ step: 'challenge', email })
  const move = await client.changeEmail({ email: newEmail() })
  const renumber = await client.changePhone({ phone: newPhone() })
  return { userId: user.id, email, client, sessions, otps: [reset.id, move.id, renumber.id] }
}

/** An account whose owner mistyped the address, with a verified number and identity. */
async function mistype(email = newEmail()) {
  const { accessToken, user } = await tenant.client.signUp({ method: 'password', email, password })
  const client = tenant.client.withSession(accessToken)
  const [phone, sub] = [newPhone(), randomUUID()]
  await enter(client, (await client.changePhone({ phone })).id, 'phone_verification')
  await client.addIdentity({ method: 'apple', idToken: await apple.sign({ sub }) })
  const sessions = [await signInByCode(service, tenant, { phone }), await byApple({ sub })]
  const { id: move } = await client.changeEmail({ email: newEmail() })
  return { userId: user.id, email, phone, sub, client, sessions, move }
}

const firstProofs: Record<string, { prove: (email: string) => Promise<SessionAnswer>; methods: AuthMethod[] }> = {
  'a sign-in by code': { prove: (email) => signInByCode(service, tenant, { email }), methods: ['otp'] },
  'a sign-in by a provider': { prove: (email) => byGoogle({ email }), methods: ['otp', 'google'] },
  'a password reset': { prove: byReset, methods: ['password', 'otp'] },
}

for (const [name, { prove, methods }] of Object.entries(firstProofs)) {
  test(`${name} is the first proof of an address: the creator of the account loses access`, async () => {
    const { userId, email, sessions, otps } = await squat()
    const bystander = await squat()
    const { user, isNewUser, firstProof } = await prove(email)
    assert.deepEqual([user.id, isNewUser, user.emailVerified, user.methods], [userId, false, true, methods])
    // After a reset the sign-in is by password, which does not verify the address.
    assert.equal(firstProof, prove === byReset ? undefined : true)

    for (const session of sessions) await isOver(tenant, session)
    for (const id of otps) assert.equal(storedOtp(service, id)['state'], 'cancelled')
    await refused(byPassword(email), 'INVALID_CREDENTIALS')
    for (const session of bystander.sessions) await isOpen(tenant, session)
    for (const id of bystander.otps) assert.equal(storedOtp(service, id)['state'], 'pending')
    assert.equal((await byGoogle({ email })).firstProof, undefined)
  })

  test(`${name} of a mistyped address creates a new user; the account keeps everything it has verified`, async () => {
    const { userId, email, phone, sub, sessions, client, move } = await mistype()
    const { user } = await prove(email)
    assert.notEqual(user.id, userId)
    assert.deepEqual([user.email, user.emailVerified, user.phone, user.methods], [email, true, null, methods])

    for (const session of sessions) await isOpen(tenant, session)
    const account = await client.getAccount()
    assert.deepEqual([account.email, account.phone, account.methods], [null, phone, ['otp', 'apple']])
    for (const session of [await signInByCode(service, tenant, { phone }), await byApple({ sub })]) {
      assert.equal(session.user.id, userId)
    }
    assert.equal(storedOtp(service, move)['state'], 'cancelled')
    assert.deepEqual(
      storedRows(
        service,
        "SELECT kind, recipient, otp_id FROM outbox WHERE user_id = ? AND kind = 'email_changed'",
        userId,
      ),
      [{ kind: 'email_changed', recipient: phone, otp_id: null }],
    )
  })

  test(`${name} takes nothing from an account with a verified address`, async () => {
    const email = newEmail()
    const first = await signInByCode(service, tenant, { email })
    const client = tenant.client.withSession(first.accessToken)
    const [phone, sub] = [newPhone(), randomUUID()]
    await client.addIdentity({ method: 'password', password })
    await client.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone }) })
    await client.addIdentity({ method: 'apple', idToken: await apple.sign({ sub }) })
    const { id: move } = await client.changeEmail({ email: newEmail() })

    const { user } = await prove(email)
    assert.deepEqual([user.id, user.phone, user.phoneVerified], [first.user.id, phone, true])
    for (const method of ['password', 'otp', 'apple', ...methods] as const) assert.ok(user.methods.includes(method))
    // A reset cancels what is in progress and revokes all sessions regardless.
    assert.equal(storedOtp(service, move)['state'], prove === byReset ? 'cancelled' : 'pending')
    await byPassword(email, prove === byReset ? newPassword : password)
    for (const session of [await signInByCode(service, tenant, { phone }), await byApple({ sub })]) {
      assert.equal(session.user.id, user.id)
    }
    await (prove === byReset ? isOver : isOpen)(tenant, first)
  })
}

test('a second reset finds the address verified: an identity linked in between stays', async () => {
  const { email } = await squat()
  const { accessToken } = await byReset(email)
  const sub = randomUUID()
  const client = tenant.client.withSession(accessToken)
  const { id } = await client.addIdentity({ method: 'apple', idToken: await apple.sign({ sub }) })
  await byReset(email)
  assert.equal((await byApple({ sub })).user.id, id)
})

test('the first proof of a number removes the unverified address, its password and the sessions', async () => {
  const [email, phone] = [newEmail(), newPhone()]
  const { id } = await service.admin.createUser(tenant, { email, phone, password })
  const session = await byPassword(email)
  const { id: reset } = await tenant.client.resetPassword({ step: 'challenge', email })

  const { user, isNewUser, firstProof } = await signInByCode(service, tenant, { phone })
  assert.deepEqual([user.id, isNewUser, firstProof, user.methods], [id, false, true, ['otp']])
  assert.equal(user.email, null)
  await isOver(tenant, session)
  assert.equal(storedOtp(service, reset)['state'], 'cancelled')
  await refused(byPassword(email), 'INVALID_CREDENTIALS')
  assert.notEqual((await signInByCode(service, tenant, { email })).user.id, id)
})

test('a verified number protects the account when a mistyped e-mail address is proven, and vice versa', async () => {
  const [email, phone] = [newEmail(), newPhone()]
  const owner = await signInByCode(service, tenant, { email })
  await service.admin.createUser(tenant, { phone })
  const client = tenant.client.withSession(owner.accessToken)
  await refused(
    client.addIdentity({ method: 'otp', token: await enteredCode(service, tenant, { phone }) }),
    'IDENTITY_LINKED_ELSEWHERE',
  )
  await writeStored(service, 'UPDATE users SET phone = NULL WHERE phone = ?', phone)
  await writeStored(service, 'UPDATE users SET phone = ? WHERE id = ?', phone, owner.user.id)
  const stranger = await signInByCode(service, tenant, { phone })
  assert.deepEqual([stranger.isNewUser, stranger.firstProof], [true, undefined])
  assert.deepEqual((await client.getAccount()).phone, null)
  await isOpen(tenant, owner)
})

test('where sign-up is restricted, a mistyped address stays with the account, since no new user can be created', async () => {
  const { email, userId } = await mistype()
  const token = await enteredCode(service, tenant, { email })
  await service.admin.updateTenant(tenant, { restrictedCapabilities: ['sign_up'] })
  try {
    await changesNothing(service, () =>
      refused(tenant.client.signIn({ method: 'otp', token }), 'RESTRICTED_CAPABILITY'),
    )
  } finally {
    await service.admin.updateTenant(tenant, { restrictedCapabilities: [] })
  }
  assert.equal((await service.admin.getUser({ tenantId: tenant.tenantId, userId })).email, email)
})

test('a signed-in user who verifies the own address or number keeps everything', async () => {
  const [email, phone] = [newEmail(), newPhone()]
  const { id } = await service.admin.createUser(tenant, { email, phone, password })
  const sessions = [await byPassword(email), await byPassword(email)]
  const client = tenant.client.withSession(sessions[0]!.accessToken)
  const sub = randomUUID()
  await client.addIdentity({ method: 'apple', idToken: await apple.sign({ sub }) })
  const reset = await tenant.client.resetPassword({ step: 'challenge', email })
  for (const scope of ['email_verification', 'phone_verification'] as const) {
    await enter(client, (await client.issueOtp({ scope })).id, scope)
  }
  const { identities: _identities, ...user } = await client.getAccount()
  assert.deepEqual(user, {
    id,
    guest: false,
    methods: ['password', 'otp', 'apple'],
    email,
    emailVerified: true,
    phone,
    phoneVerified: true,
    createdAt: user.createdAt,
  })
  assert.equal(storedOtp(service, reset.id)['state'], 'pending')
  for (const session of [...sessions, await byApple({ sub })]) await isOpen(tenant, session)
})

test('a proof whose sign-in is refused changes nothing', async () => {
  const { userId, email } = await squat()
  const who = { tenantId: tenant.tenantId, userId }
  await service.admin.updateUser(who, { suspension: { reason: 'Under review' } })
  const token = await enteredCode(service, tenant, { email })
  await changesNothing(service, async () => {
    await refused(tenant.client.signIn({ method: 'otp', token }), 'RESTRICTED_CAPABILITY')
    await refused(byGoogle({ email }), 'RESTRICTED_CAPABILITY')
  })
})

test('concurrent first proofs by code and provider, and a password sign-in: the squatter loses access', async () => {
  const { userId, email, sessions } = await squat()
  const token = await enteredCode(service, tenant, { email })
  const entering = byPassword(email).catch(() => null)
  const [one, two] = await Promise.all([tenant.client.signIn({ method: 'otp', token }), byGoogle({ email })])
  assert.deepEqual([one.user.id, two.user.id], [userId, userId])
  const squatters = await entering
  for (const session of squatters === null ? sessions : [...sessions, squatters]) await isOver(tenant, session)
  await refused(byPassword(email), 'INVALID_CREDENTIALS')
  // The first of the two was the first proof; the other found the address verified and took nothing.
  for (const session of [one, two]) await isOpen(tenant, session)
  assert.deepEqual((await byGoogle({ email })).user.methods, ['otp', 'google'])
})
