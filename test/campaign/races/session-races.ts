import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { storedRow, storedRows } from '../../support/databases/stored-rows.ts'
import { addPerson } from '../../support/person.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { type Hit, type Shot, tally, turns } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

const oldPassword = 'the password before'

const newAddress = (random: Random): string => `newcomer-${random.below(1e9)}-${random.below(1e9)}@example.com`

const signUp = ({ key }: TestTenant, email: string, password: string): Shot => ({
  line: 'POST /auth/sign-up',
  key,
  body: { method: 'password', email, password },
})

const signIn = ({ key }: TestTenant, body: object): Shot => ({ line: 'POST /auth/sign-in', key, body })

const refresh = ({ key }: TestTenant, refreshToken: string): Shot => ({
  line: 'POST /auth/refresh',
  key,
  body: { refreshToken },
})

const account = ({ key }: TestTenant, token: string): Shot => ({ line: 'GET /account', key, token })

/** The id of a one-time password that was verified for the address. */
async function proofOf({ service }: RaceFixture, { client }: TestTenant, email: string): Promise<string> {
  const scope = 'otp_signin'
  const { id } = await client.issueOtp({ scope, email })
  await client.verifyOtp({ id, scope, code: await service.codeOf(id) })
  return id
}

const usersWith = ({ service }: RaceFixture, { tenantId }: TestTenant, email: string) =>
  storedRows(service, 'SELECT * FROM users WHERE tenant_id = ? AND email = ?', tenantId, email)

const liveSessionsOf = ({ service }: RaceFixture, userId: unknown) =>
  storedRows(service, 'SELECT * FROM sessions WHERE user_id = ? AND revoked_at IS NULL ORDER BY id', String(userId))

const isSuccess = ({ outcome }: Hit): boolean => outcome === '201'

/** The outcome of a request with each of these access tokens. */
const outcomesWith = async (fixture: RaceFixture, tenant: TestTenant, tokens: readonly string[], random: Random) =>
  tally(
    await fixture.fire(
      tokens.map((token) => account(tenant, token)),
      random,
    ),
  )

/** D21: 16 sign-ups with one address: one account, with the password of the one that won. */
export async function signUpsWithOneAddress(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const email = newAddress(random)
  const given = times(16, (index) => `password ${index} ${random.below(1e9)}`)
  const answers = await fixture.fire(
    given.map((password) => signUp(tenant, email, password)),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 1, EMAIL_ALREADY_REGISTERED: 15 })
  const [user, ...more] = usersWith(fixture, tenant, email)
  assert.equal(more.length, 0)
  assert.equal(answers.find(isSuccess)!.body.data.user.id, user!['id'])
  assert.equal(liveSessionsOf(fixture, user!['id']).length, 1)
  const tried = await fixture.fire(
    given.map((password) => signIn(tenant, { method: 'password', email, password })),
    random,
  )
  assert.deepEqual(tried.map(isSuccess), answers.map(isSuccess))
}

/** D22: sign-ins with two codes to one new address, four times each: one account, one session per code. */
export async function codeSignInsOfOneAddress(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const email = newAddress(random)
  const proofs = [await proofOf(fixture, tenant, email), await proofOf(fixture, tenant, email)]
  const answers = await fixture.fire(
    times(8, (index) => signIn(tenant, { method: 'otp', token: proofs[index % 2] })),
    random,
  )
  for (const half of [0, 1]) {
    const ofOne = answers.filter((_, index) => index % 2 === half)
    assert.deepEqual(tally(ofOne), { 201: 1, OTP_ALREADY_CONSUMED: 3 })
  }
  const sessions = answers.filter(isSuccess).map(({ body }) => body.data)
  const [user, ...more] = usersWith(fixture, tenant, email)
  assert.equal(more.length, 0)
  for (const session of sessions) assert.equal(session.user.id, user!['id'])
  assert.deepEqual(sessions.map(({ isNewUser }) => isNewUser).sort(), [false, true])
  const tokens = sessions.map(({ accessToken }) => accessToken)
  assert.deepEqual(await outcomesWith(fixture, tenant, tokens, random), { 200: 2 })
}

/** D23: a sign-up while the owner of the address proves it: in either order, only the owner gets the account. */
export async function signUpAgainstProof(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const email = newAddress(random)
  const token = await proofOf(fixture, tenant, email)
  const signingUp = fixture.fire([signUp(tenant, email, 'of the squatter')], random)
  await turns(random.below(30))
  const [proven] = await fixture.fire([signIn(tenant, { method: 'otp', token })], random)
  const [signedUp] = await signingUp
  assert.equal(proven!.outcome, '201')
  const squatted = isSuccess(signedUp!)
  if (!squatted) assert.equal(signedUp!.outcome, 'EMAIL_ALREADY_REGISTERED')
  assert.equal(proven!.body.data.isNewUser, !squatted)

  const [user, ...more] = usersWith(fixture, tenant, email)
  assert.equal(more.length, 0)
  assert.deepEqual([user!['password_hash'], user!['email_verified_at']], [null, fixture.service.clock.now()])
  assert.equal(liveSessionsOf(fixture, user!['id']).length, 1)
  if (squatted) {
    const { accessToken } = signedUp!.body.data
    assert.deepEqual(await outcomesWith(fixture, tenant, [accessToken], random), { INVALID_USER_TOKEN: 1 })
  }
  assert.deepEqual(await outcomesWith(fixture, tenant, [proven!.body.data.accessToken], random), { 200: 1 })
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** D24: 16 refreshes with one token: all get the same successor, which stays valid. */
export async function refreshesOfOneToken(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant)
  const { refreshToken } = await person.signIn()
  const answers = await fixture.fire(
    times(16, () => refresh(tenant, refreshToken)),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 16 })
  const [successor, ...others] = new Set<string>(answers.map(({ body }) => body.data.refreshToken))
  assert.equal(others.length, 0)
  const row = storedRow(service, 'SELECT * FROM sessions WHERE user_id = ?', person.userId)
  const { refresh_hash, previous_refresh_hash, revoked_at } = row
  assert.deepEqual([refresh_hash, previous_refresh_hash], [hashOf(successor!), hashOf(refreshToken)])
  assert.equal(revoked_at, null)
  const tokens = answers.map(({ body }) => body.data.accessToken)
  assert.deepEqual(await outcomesWith(fixture, tenant, tokens, random), { 200: 16 })
  assert.deepEqual(tally(await fixture.fire([refresh(tenant, successor!)], random)), { 201: 1 })
}

/** D25: refreshes during the reuse of an old refresh token: the session is revoked in either order. */
export async function refreshAgainstReuse(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant)
  const first = await person.signIn()
  const { refreshToken: good } = await tenant.client.refreshSession({ refreshToken: first.refreshToken })
  service.clock.advance(10_000)
  const [reused, ...refreshed] = await fixture.fire(
    [refresh(tenant, first.refreshToken), ...times(3, () => refresh(tenant, good))],
    random,
  )
  assert.equal(reused!.outcome, 'INVALID_REFRESH_TOKEN')
  for (const { outcome } of refreshed) assert.ok(['201', 'INVALID_REFRESH_TOKEN'].includes(outcome), outcome)
  assert.deepEqual(liveSessionsOf(fixture, person.userId), [])
  const given = refreshed.filter(isSuccess).map(({ body }) => body.data)
  const tokens = [first.accessToken, ...given.map(({ accessToken }) => accessToken)]
  assert.deepEqual(await outcomesWith(fixture, tenant, tokens, random), { INVALID_USER_TOKEN: tokens.length })
  const chain = [good, ...given.map(({ refreshToken }) => refreshToken)]
  const again = await fixture.fire(
    chain.map((token) => refresh(tenant, token)),
    random,
  )
  assert.deepEqual(tally(again), { INVALID_REFRESH_TOKEN: chain.length })
}

/** D26: changes of one password among sign-ins with it: one is stored, and no session with the old password is left. */
export async function passwordChangesAgainstSignIn(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const person = await addPerson(fixture.service, tenant, oldPassword)
  const { email } = person
  const { accessToken: token } = await person.signIn()
  const given = times(4, (index) => `password ${index} ${random.below(1e9)}`)
  const change = (password: string): Shot => ({
    line: 'POST /account/password',
    key: tenant.key,
    token,
    body: { currentPassword: oldPassword, password },
  })
  const signIns = times(12, () => signIn(tenant, { method: 'password', email, password: oldPassword }))
  const answers = await fixture.fire([...given.map(change), ...signIns], random)
  const changes = answers.slice(0, given.length)
  assert.deepEqual(tally(changes), { 201: 1, INVALID_CREDENTIALS: 3 })
  for (const { outcome } of answers) assert.ok(['201', 'INVALID_CREDENTIALS'].includes(outcome), outcome)
  assert.equal(liveSessionsOf(fixture, person.userId).length, 1)
  assert.deepEqual(await outcomesWith(fixture, tenant, [token], random), { 200: 1 })
  const tried = await fixture.fire(
    [...given, oldPassword].map((password) => signIn(tenant, { method: 'password', email, password })),
    random,
  )
  assert.deepEqual(tried.map(isSuccess), [...changes.map(isSuccess), false])
}
