import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { changesNothing, storedOtp } from '../support/databases/stored-rows.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { startServiceWithGoogle } from '../support/service-with-providers.ts'
import {
  addOpenTenant,
  claimsOf,
  enteredCode,
  newEmail,
  newPhone,
  sessionIdOf,
  signInByCode,
} from '../support/sign-in-methods.ts'

const minutes = 60_000
let google: IdentityProvider
let service: TestService
let tenant: TestTenant

before(async () => {
  ;({ service, google } = await startServiceWithGoogle())
  tenant = await addOpenTenant(service, { google })
})
after(() => Promise.all([service.close(), google.close()]))

const clientOf = ({ accessToken }: { accessToken: string }) => tenant.client.withSession(accessToken)
const byGoogle = async (claims: Record<string, unknown> = {}) =>
  ({ method: 'google', idToken: await google.sign({ email_verified: false, ...claims }) }) as const

/** A user with verified addresses and a linked identity, whose sign-in is eleven minutes old. */
async function staleSession() {
  const person = await addPerson(service, tenant)
  await person.prove()
  const sub = randomUUID()
  const session = await person.signIn()
  const { identities } = await clientOf(session).addIdentity(await byGoogle({ sub }))
  service.clock.advance(11 * minutes)
  return { person, session, sub, identityId: identities.at(-1)!.id }
}

/** Every operation that changes sign-in methods, deletes the account or exports it. */
const sensitive: Record<string, (client: TenantryClient, known: { identityId: string }) => Promise<unknown>> = {
  'a password change without the current one': (client) => client.changePassword({ password: 'battery staple' }),
  'a change of e-mail address': (client) => client.changeEmail({ email: newEmail() }),
  'a change of phone number': (client) => client.changePhone({ phone: newPhone() }),
  'linking an identity': async (client) => client.addIdentity(await byGoogle()),
  'adding a password': (client) => client.addIdentity({ method: 'password', password: 'battery staple' }),
  'removing an identity': (client, { identityId }) => client.removeIdentity({ identityId }),
  'removing the password': (client) => client.removeIdentity({ identityId: 'password' }),
  'the export': (client) => client.exportAccount(),
  'the deletion': (client) => client.deleteAccount(),
}

for (const [name, act] of Object.entries(sensitive)) {
  test(`${name} is refused when the sign-in is stale, and sends and changes nothing`, async () => {
    const known = await staleSession()
    await changesNothing(service, () => refused(act(clientOf(known.session), known), 'FRESH_SIGN_IN_REQUIRED'))
    // A refreshed token is as old as its sign-in.
    const refreshed = await tenant.client.refreshSession({ refreshToken: known.session.refreshToken })
    await changesNothing(service, () => refused(act(clientOf(refreshed), known), 'FRESH_SIGN_IN_REQUIRED'))
  })

  test(`${name} works after a step-up`, async () => {
    const known = await staleSession()
    const fresh = await clientOf(known.session).stepUp({ method: 'password', password: known.person.password })
    if (name === 'adding a password') await clientOf(fresh).removeIdentity({ identityId: 'password' })
    await act(clientOf(fresh), known)
  })
}

test('a sign-in from the future, when the clock was wrong, is stale until a step-up', async () => {
  const person = await addPerson(service, tenant)
  service.clock.advance(365 * 24 * 60 * minutes)
  const { refreshToken } = await person.signIn()
  service.clock.advance(-365 * 24 * 60 * minutes)
  const refreshed = await tenant.client.refreshSession({ refreshToken })
  await changesNothing(service, () => refused(clientOf(refreshed).deleteAccount(), 'FRESH_SIGN_IN_REQUIRED'))
  await clientOf(await clientOf(refreshed).stepUp({ method: 'password', password: person.password })).deleteAccount()
})

test('reports an invalid body before a stale sign-in', async () => {
  const { session } = await staleSession()
  await invalid(clientOf(session).changeEmail({ email: 'ada' }), { email: 'Invalid email' })
})

test('reads, profile updates, sign-out and a password change with the current one need no fresh sign-in', async () => {
  const { session, person } = await staleSession()
  const client = clientOf(session)
  await client.getAccount()
  await client.listSessions()
  await client.updateProfile({})
  await client.changePassword({ currentPassword: person.password, password: 'battery staple' })
  await client.signOut({ scope: 'this' })
})

const proofs: Record<string, (known: Awaited<ReturnType<typeof staleSession>>) => Promise<never>> = {
  'the password': async ({ person }) => ({ method: 'password', password: person.password }) as never,
  'a code by e-mail': async ({ person: { email } }) =>
    ({ method: 'otp', token: await enteredCode(service, tenant, { email }) }) as never,
  'a code by SMS': async ({ person: { phone } }) =>
    ({ method: 'otp', token: await enteredCode(service, tenant, { phone }) }) as never,
  'a linked identity': async ({ sub }) => (await byGoogle({ sub })) as never,
}
const amrs: Record<string, string[]> = {
  'the password': ['pwd'],
  'a code by e-mail': ['pwd', 'otp'],
  'a code by SMS': ['pwd', 'otp', 'sms'],
  'a linked identity': ['pwd', 'google'],
}

for (const [name, prove] of Object.entries(proofs)) {
  test(`a step-up by ${name} returns a fresh token of the same session; older tokens stay stale`, async () => {
    const known = await staleSession()
    const client = clientOf(known.session)
    const answer = await client.stepUp(await prove(known))
    const now = Math.floor(service.clock.now() / 1000) * 1000
    const { accessToken, ...rest } = answer
    const freshUntil = new Date(now + 10 * minutes).toISOString()
    assert.deepEqual(rest, { tokenType: 'Bearer', expiresIn: 900, freshUntil })
    const [before, after] = [claimsOf(known.session), claimsOf(answer)]
    assert.deepEqual([after['sid'], after.sub, after['amr']], [before['sid'], before.sub, amrs[name]])
    assert.equal(after['auth_time'], now / 1000)
    await clientOf({ accessToken }).exportAccount()
    await refused(client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
    const refreshed = await tenant.client.refreshSession({ refreshToken: known.session.refreshToken })
    assert.deepEqual([claimsOf(refreshed)['auth_time'], claimsOf(refreshed)['amr']], [before['auth_time'], ['pwd']])
    await refused(clientOf(refreshed).exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
    // Freshness expires to the second.
    service.clock.advance(Date.parse(freshUntil) - 1 - service.clock.now())
    await clientOf({ accessToken }).exportAccount()
    service.clock.advance(1)
    await refused(clientOf({ accessToken }).exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
  })
}

test('a second step-up keeps what the first one proved', async () => {
  const { session, person, sub } = await staleSession()
  const first = await clientOf(session).stepUp(await byGoogle({ sub }))
  const second = await clientOf(first).stepUp({ method: 'password', password: person.password })
  assert.deepEqual(claimsOf(second)['amr'], ['pwd', 'google'])
})

test('rejects the proof of another user, of an unverified address or of an identity that is not linked', async () => {
  const other = await staleSession()
  const { session, person } = await staleSession()
  const client = clientOf(session)
  const unverified = await addPerson(service, tenant)
  const ofUnverified = await unverified.client()
  const foreign = [
    { method: 'otp', token: await enteredCode(service, tenant, { email: other.person.email }) },
    { method: 'otp', token: await enteredCode(service, tenant, { phone: newPhone() }) },
  ] as const
  for (const proof of foreign) {
    await changesNothing(service, () => refused(client.stepUp(proof), 'INVALID_CREDENTIALS'))
    assert.equal(storedOtp(service, proof.token)['state'], 'verified', 'it is not used up')
  }
  const own = await enteredCode(service, tenant, { email: unverified.email })
  await refused(ofUnverified.stepUp({ method: 'otp', token: own }), 'INVALID_CREDENTIALS')
  await refused(client.stepUp({ method: 'password', password: 'wrong password' }), 'INVALID_CREDENTIALS')
  await refused(client.stepUp(await byGoogle({ sub: other.sub })), 'INVALID_SOCIAL_TOKEN')
  await refused(client.stepUp(await byGoogle()), 'INVALID_SOCIAL_TOKEN')
  const { email } = person
  const used = { method: 'otp', token: await enteredCode(service, tenant, { email }) } as const
  await client.stepUp(used)
  await refused(client.stepUp(used), 'OTP_ALREADY_CONSUMED')
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
  await refused(client.stepUp({ method: 'otp', token: id }), 'OTP_NOT_CONSUMABLE')
  await refused(client.stepUp({ method: 'otp', token: 'unknown' }), 'OTP_NOT_FOUND')
  await refused(client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
})

test('a step-up needs the session, the method and permission to sign in', async () => {
  const { session, person } = await staleSession()
  const proof = { method: 'password', password: person.password } as const
  await refused(tenant.client.stepUp(proof), 'MISSING_USER_TOKEN')
  await invalid(clientOf(session).stepUp({ method: 'guest' } as never), { method: 'Invalid enum value' })
  await invalid(clientOf(session).stepUp({ method: 'password' } as never), { password: 'Required' })
  const path = { tenantId: tenant.tenantId, userId: person.userId }
  await service.admin.updateUser(path, { restrictions: [{ capability: 'sign_in', reason: 'x' }] })
  await refused(clientOf(session).stepUp(proof), 'RESTRICTED_CAPABILITY')
  await service.admin.updateUser(path, { restrictions: [] })
  const bare = await service.addTenant({ methods: ['otp'] })
  const someone = await signInByCode(service, bare, { email: newEmail() })
  const inBare = bare.client.withSession(someone.accessToken)
  await refused(inBare.stepUp({ method: 'password', password: 'correct horse' }), 'AUTH_METHOD_NOT_ENABLED')
})

test('a step-up concurrent with a sign-out leaves no token of the session', async () => {
  for (let round = 0; round < 5; round++) {
    const { session, person } = await staleSession()
    const client = clientOf(session)
    const [stepped] = await Promise.allSettled([
      client.stepUp({ method: 'password', password: person.password }),
      client.signOut({ scope: 'this' }),
    ])
    if (stepped.status === 'fulfilled') await refused(clientOf(stepped.value).getAccount(), 'INVALID_USER_TOKEN')
    else assert.equal(stepped.reason.code, 'INVALID_USER_TOKEN')
  }
})

test('exempts a guest without any sign-in method, however old the session', async () => {
  const guest = await tenant.client.signIn({ method: 'guest' })
  service.clock.advance(14 * minutes)
  await clientOf(guest).exportAccount()
  const linked = await clientOf(guest).addIdentity(await byGoogle())
  assert.notEqual(sessionIdOf(linked.session!), sessionIdOf(guest))
  service.clock.advance(11 * minutes)
  await refused(clientOf(linked.session!).exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
})

test('a tenant sets how long a sign-in stays fresh, from a minute to a day', async () => {
  const strict = await service.addTenant({ configuration: { security: { freshSeconds: 60 } } })
  const person = await addPerson(service, strict)
  const client = await person.client()
  service.clock.advance(59_000)
  await client.exportAccount()
  service.clock.advance(1_000)
  await refused(client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
  for (const freshSeconds of [59, 86_401, '600', 600.5]) {
    await refused(service.admin.updateConfiguration(strict, { security: { freshSeconds } }), 'VALIDATION_ERROR')
  }
  for (const freshSeconds of [60, 86_400])
    await service.admin.updateConfiguration(strict, { security: { freshSeconds } })
})
