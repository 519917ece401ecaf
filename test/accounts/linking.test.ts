import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { AuthMethod } from '../../contract/tenants/tenant-configuration.ts'
import type { InputOf } from '../../packages/client/src/index.ts'
import { changesNothing, storedOtp } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  addOpenTenant,
  atOnce,
  claimsOf,
  enteredCode,
  isOver,
  newEmail,
  newPhone,
  onlyWinner,
  type Recipient,
  signInByCode,
} from '../support/sign-in-methods.ts'

type Proof = InputOf<'addIdentity'>

const password = 'correct horse'
let google: IdentityProvider
let apple: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;[google, apple] = await Promise.all([startIdentityProvider('google'), startIdentityProvider('apple')])
  service = await startTestService({ identityProviders: { ...google.settings, ...apple.settings } })
  tenant = await addOpenTenant(service, { google, apple })
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'nick', type: 'text' }] })
})
after(() => Promise.all([service, google, apple].map((peer) => peer.close())))

/** Clients of a new guest and of a user with a verified address. */
const guest = async () => tenant.client.withSession((await tenant.client.signIn({ method: 'guest' })).accessToken)
const proven = async (to: Recipient) => tenant.client.withSession((await signInByCode(service, tenant, to)).accessToken)
const byCode = async (to: Recipient): Promise<Proof> => ({
  method: 'otp',
  token: await enteredCode(service, tenant, to),
})
const byGoogle = async (claims: Record<string, unknown> = {}): Promise<Proof> => ({
  method: 'google',
  idToken: await google.sign(claims),
})

const links: Record<
  string,
  () => Promise<{ proof: Proof; again: () => Promise<Proof>; methods: AuthMethod[]; amr: string[] }>
> = {
  async 'a password'() {
    const account = { method: 'password', email: newEmail(), password } as const
    return { proof: account, again: async () => account, methods: ['password'], amr: ['pwd'] }
  },
  async 'a code by e-mail'() {
    const to = { email: newEmail() }
    return { proof: await byCode(to), again: () => byCode(to), methods: ['otp'], amr: ['otp'] }
  },
  async 'a code by SMS'() {
    const to = { phone: newPhone() }
    return { proof: await byCode(to), again: () => byCode(to), methods: ['otp'], amr: ['otp', 'sms'] }
  },
  async 'an account at a provider'() {
    const claims = { sub: randomUUID(), email_verified: false }
    return { proof: await byGoogle(claims), again: () => byGoogle(claims), methods: ['google'], amr: ['google'] }
  },
  async 'an account at a provider that has verified an address'() {
    const claims = { sub: randomUUID(), email: newEmail() }
    return { proof: await byGoogle(claims), again: () => byGoogle(claims), methods: ['otp', 'google'], amr: ['google'] }
  },
}

for (const [name, prepare] of Object.entries(links)) {
  test(`a guest who links ${name} becomes a full user with the same id and profile, in a new session`, async () => {
    const { proof, again, methods, amr } = await prepare()
    const entered = await tenant.client.signIn({ method: 'guest' })
    const planted = tenant.client.withSession(entered.accessToken)
    const profile = await planted.updateProfile({ nick: name })
    service.clock.advance(1000)
    const { session, ...account } = await planted.addIdentity(proof)
    await isOver(tenant, entered)
    const client = tenant.client.withSession(session!.accessToken)
    assert.deepEqual(claimsOf(session!)['amr'], amr)
    assert.deepEqual([account.id, account.guest, account.methods], [entered.user.id, false, methods])
    assert.deepEqual(await client.getAccount(), account)
    assert.deepEqual(await client.getProfile(), profile)
    const { refreshToken } = session!
    assert.equal(claimsOf(await tenant.client.refreshSession({ refreshToken }))['guest'], false)

    const { user, isNewUser } = await tenant.client.signIn((await again()) as InputOf<'signIn'>)
    assert.deepEqual([user.id, isNewUser], [entered.user.id, false])
  })
}

test('answers for an identity that is linked already as if it had just been added', async () => {
  const [to, claims] = [{ email: newEmail() }, { sub: randomUUID() }]
  const client = await proven(to)
  const account = await client.addIdentity(await byGoogle(claims))
  service.clock.advance(1000)
  assert.deepEqual(await client.addIdentity(await byGoogle(claims)), account)
  const token = await enteredCode(service, tenant, to)
  assert.deepEqual(await client.addIdentity({ method: 'otp', token }), account)
  const { state, user_id } = storedOtp(service, token)
  assert.deepEqual([state, user_id], ['consumed', account.id])
  const proofs = await Promise.all(Array.from({ length: 20 }, () => byGoogle(claims)))
  const answers = await Promise.all(proofs.map((proof) => client.addIdentity(proof)))
  for (const answer of answers) assert.deepEqual(answer, account)
})

test('an identity of another user stays theirs, and its code stays valid', async () => {
  const [email, phone, claims] = [newEmail(), newPhone(), { sub: randomUUID(), email_verified: false }]
  const owner = await proven({ email })
  await owner.addIdentity(await byCode({ phone }))
  await owner.addIdentity(await byGoogle(claims))
  const claimed = newEmail()
  await tenant.client.signUp({ method: 'password', email: claimed, password })
  const client = await guest()
  const proofs = [await byGoogle(claims)]
  for (const to of [{ email }, { phone }, { email: claimed }]) proofs.push(await byCode(to))
  for (const taken of [email, claimed]) proofs.push({ method: 'password', email: taken, password })
  await changesNothing(service, async () => {
    for (const proof of proofs) await refused(client.addIdentity(proof), 'IDENTITY_LINKED_ELSEWHERE')
  })
  assert.equal((await tenant.client.signIn(proofs[1] as InputOf<'signIn'>)).user.email, email)
})

test('rejects a second password, e-mail address or phone number', async () => {
  const client = await proven({ email: newEmail() })
  await client.addIdentity(await byCode({ phone: newPhone() }))
  await client.addIdentity({ method: 'password', password })
  const proofs: Proof[] = [{ method: 'password', password: 'battery staple' }]
  for (const to of [{ email: newEmail() }, { phone: newPhone() }]) proofs.push(await byCode(to))
  const { hasher } = service.service.services
  const { hashes } = hasher
  await changesNothing(service, async () => {
    for (const proof of proofs) await refused(client.addIdentity(proof), 'IDENTITY_ALREADY_LINKED')
  })
  assert.equal(hasher.hashes, hashes)
})

test("adds a password to the account's own address, or to the given one if there is none", async () => {
  const [none, email] = [await guest(), newEmail()]
  const some = await proven({ email })
  await changesNothing(service, async () => {
    await invalid(none.addIdentity({ method: 'password', password }), { email: 'Required' })
    const other = { method: 'password', password, email: newEmail() } as const
    await invalid(some.addIdentity(other), { email: 'Validation rule not met' })
    const short = { method: 'password', password: '7 chars' } as const
    await invalid(some.addIdentity(short), { password: 'String must contain at least 8 character(s)' })
  })
  const account = await some.addIdentity({ method: 'password', password, email: email.toUpperCase() })
  assert.deepEqual([account.email, account.emailVerified, account.methods], [email, true, ['password', 'otp']])
  const given = await none.addIdentity({ method: 'password', password, email: newEmail() })
  assert.deepEqual([given.emailVerified, given.methods], [false, ['password']])
})

test('gives an address verified by the provider to a user without one, if it is free', async () => {
  const [free, taken, own] = [newEmail(), newEmail(), newEmail()]
  await tenant.client.signUp({ method: 'password', email: taken, password })
  const emailAfter = async (client: Awaited<ReturnType<typeof guest>>, claims: Record<string, unknown>) =>
    (await client.addIdentity(await byGoogle(claims))).email
  assert.equal(await emailAfter(await guest(), { email: free, email_verified: false }), null)
  assert.equal(await emailAfter(await guest(), { email: taken }), null)
  assert.equal(await emailAfter(await guest(), { email: free }), free)
  assert.equal(await emailAfter(await proven({ email: own }), { email: newEmail() }), own)
})

test("a code or provider that proves the signed-in user's own address removes nothing", async () => {
  for (const prove of [async (email: string) => byCode({ email }), async (email: string) => byGoogle({ email })]) {
    const email = newEmail()
    const { accessToken } = await tenant.client.signUp({ method: 'password', email, password })
    const client = tenant.client.withSession(accessToken)
    await client.addIdentity({ method: 'apple', idToken: await apple.sign({ email_verified: false }) })
    const account = await client.addIdentity(await prove(email))
    assert.equal(account.emailVerified, true)
    assert.ok(account.methods.includes('password') && account.methods.includes('apple'))
    await tenant.client.signIn({ method: 'password', email, password })
  }
})

test('one of two users who link the same identity, address or code at once wins', async () => {
  const [claims, to] = [{ sub: randomUUID(), email_verified: false }, { email: newEmail() }]
  const [one, code] = [await byGoogle(claims), await byCode({ email: newEmail() })]
  const proofs: Record<string, [Proof, Proof, string]> = {
    identity: [one, await byGoogle(claims), 'IDENTITY_LINKED_ELSEWHERE'],
    address: [await byCode(to), await byCode(to), 'IDENTITY_LINKED_ELSEWHERE'],
    code: [code, code, 'OTP_ALREADY_CONSUMED'],
  }
  for (const [what, [first, second, refusal]] of Object.entries(proofs)) {
    const clients = [await guest(), await guest()]
    const answers = await atOnce(2, (index) => clients[index]!.addIdentity([first, second][index]!))
    const { winner, refusals } = onlyWinner(answers)
    assert.deepEqual(refusals, [refusal], what)
    // The link revoked the winner's guest session; the other user is still a guest.
    const after = await Promise.all(clients.map((client) => client.getAccount().catch(({ code }) => code)))
    const loser = after.find((account) => typeof account !== 'string')
    assert.deepEqual([loser.methods, after.includes('INVALID_USER_TOKEN')], [['guest'], true], what)
    assert.deepEqual(winner.session?.user.methods, winner.methods)
  }
})

test('stores one of 20 passwords chosen at once', async () => {
  const email = newEmail()
  const client = await proven({ email })
  const answers = await atOnce(20, async (index) => {
    await client.addIdentity({ method: 'password', password: `correct horse ${index}` })
    return { chosen: `correct horse ${index}` }
  })
  const { winner, refusals } = onlyWinner(answers)
  assert.deepEqual([...new Set(refusals)], ['IDENTITY_ALREADY_LINKED'])
  await tenant.client.signIn({ method: 'password', email, password: winner.chosen })
})

test('rejects a method that the tenant disabled, or one without a proof', async () => {
  const bare = await service.addTenant({ configuration: { auth: { methods: ['guest', 'google', 'otp'] } } })
  const client = bare.client.withSession((await bare.client.signIn({ method: 'guest' })).accessToken)
  const token = await enteredCode(service, bare, { email: newEmail() })
  await service.admin.updateConfiguration(bare, { auth: { methods: ['guest', 'google'] } })
  const unproven = await tenant.client.issueOtp({ scope: 'otp_signin', email: newEmail() })
  const known = await guest()
  const foreign = await byGoogle()
  await changesNothing(service, async () => {
    await refused(client.addIdentity({ method: 'otp', token }), 'AUTH_METHOD_NOT_ENABLED')
    await refused(client.addIdentity({ method: 'password', email: newEmail(), password }), 'AUTH_METHOD_NOT_ENABLED')
    await refused(client.addIdentity(foreign), 'TENANT_NOT_CONFIGURED')
    await refused(known.addIdentity({ method: 'otp', token: unproven.id }), 'OTP_NOT_CONSUMABLE')
    await refused(known.addIdentity({ method: 'otp', token }), 'OTP_NOT_FOUND')
    await invalid(known.addIdentity({ method: 'guest' } as never), { method: 'Invalid enum value' })
    await refused(tenant.client.addIdentity(foreign), 'MISSING_USER_TOKEN')
  })
})
