import assert from 'node:assert/strict'
import { storedOtp, storedRow, storedRows } from '../../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../../support/person.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { type Shot, tally, turns } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

const oldPassword = 'the password before'

const confirm = ({ key }: TestTenant, token: string, password: string): Shot => ({
  line: 'POST /auth/reset-password',
  key,
  body: { step: 'confirm', token, password },
})

const signIn = ({ key }: TestTenant, { email }: Person, password: string): Shot => ({
  line: 'POST /auth/sign-in',
  key,
  body: { method: 'password', email, password },
})

const profileWith = ({ key }: TestTenant, token: string): Shot => ({ line: 'GET /account/profile', key, token })

const passwordOf = ({ service }: RaceFixture, { userId }: Person) =>
  storedRow(service, 'SELECT password_hash FROM users WHERE id = ?', userId)['password_hash']

const noticesTo = ({ service }: RaceFixture, { userId }: Person) =>
  storedRows(service, "SELECT * FROM outbox WHERE user_id = ? AND kind = 'password_changed' ORDER BY id", userId)

const liveSessionsOf = ({ service }: RaceFixture, { userId }: Person) =>
  storedRows(service, 'SELECT * FROM sessions WHERE user_id = ? AND revoked_at IS NULL ORDER BY id', userId)

const passwords = (random: Random, count: number): string[] =>
  times(count, (index) => `password ${index} ${random.below(1e9)}`)

/** Of the passwords given, only the one at `winner` signs in. */
async function assertPassword(
  fixture: RaceFixture,
  tenant: TestTenant,
  person: Person,
  given: readonly string[],
  winner: number,
  random: Random,
): Promise<void> {
  const answers = await fixture.fire(
    [...given, oldPassword].map((password) => signIn(tenant, person, password)),
    random,
  )
  const works = answers.flatMap(({ outcome }, index) => (outcome === '201' ? [index] : []))
  assert.deepEqual(works, [winner], 'only the password of the winning confirm signs in')
  assert.deepEqual(tally(answers), { 201: 1, INVALID_CREDENTIALS: given.length })
}

/** D01: 64 confirms of one verified OTP: one stores its password, the others get OTP_ALREADY_CONSUMED. */
export async function confirmsOfOneOtp(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const person = await addPerson(fixture.service, tenant, oldPassword)
  const before = [(await person.signIn()).accessToken, (await person.signIn()).accessToken]
  const token = await person.verified('reset_password')
  const given = passwords(random, 64)
  const answers = await fixture.fire(
    given.map((password) => confirm(tenant, token, password)),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 1, OTP_ALREADY_CONSUMED: 63 })
  const winner = answers.findIndex(({ outcome }) => outcome === '201')
  assert.deepEqual(answers[winner]!.body.data, { success: true })

  const { state, consumed_at } = storedOtp(fixture.service, token)
  assert.deepEqual({ state, consumed_at }, { state: 'consumed', consumed_at: fixture.service.clock.now() })
  assert.equal(noticesTo(fixture, person).length, 1)
  assert.equal(liveSessionsOf(fixture, person).length, 0)
  await assertPassword(fixture, tenant, person, given, winner, random)
  const revoked = await fixture.fire(
    before.map((session) => profileWith(tenant, session)),
    random,
  )
  assert.deepEqual(tally(revoked), { INVALID_USER_TOKEN: 2 })
}

/**
 * D08: confirms of two verified OTPs of one user: one wins and the other is cancelled, whether or not this is the
 * first proof of the address, which cancels more.
 */
export async function confirmsOfTwoOtps(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const person = await addPerson(fixture.service, tenant, oldPassword)
  if (random.next() < 0.5) await person.verified('email_verification')
  const tokens = [await person.verified('reset_password'), await person.verified('reset_password')]
  const given = passwords(random, 2)
  const answers = await fixture.fire(
    given.map((password, index) => confirm(tenant, tokens[index]!, password)),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 1, OTP_NOT_CONSUMABLE: 1 })
  const winner = answers.findIndex(({ outcome }) => outcome === '201')
  assert.equal(storedOtp(fixture.service, tokens[winner]!)['state'], 'consumed')
  assert.equal(storedOtp(fixture.service, tokens[1 - winner]!)['state'], 'cancelled')
  assert.equal(noticesTo(fixture, person).length, 1)
  await assertPassword(fixture, tenant, person, given, winner, random)
}

/** D09: a confirm while the user is deleted: reset and then deleted, or refused; no row of the user is left. */
export async function confirmAgainstDeletion(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant, oldPassword)
  const session = (await person.signIn()).accessToken
  const token = await person.verified('reset_password')
  const line = `DELETE /admin/tenants/${tenant.tenantId}/users/${person.userId}`
  const remove: Shot = { line, adminKey: service.adminKey }
  const confirming = fixture.fire([confirm(tenant, token, 'another password')], random)
  await turns(random.below(60))
  const [removed] = await fixture.fire([remove], random)
  const [confirmed] = await confirming
  assert.equal(removed!.outcome, '204')
  const reset = confirmed!.outcome === '201'
  if (!reset) assert.equal(confirmed!.outcome, 'OTP_NOT_CONSUMABLE')
  assert.equal(storedOtp(service, token)['state'], reset ? 'consumed' : 'cancelled')
  assert.equal(noticesTo(fixture, person).length, reset ? 1 : 0)
  assert.deepEqual(storedRows(service, 'SELECT id FROM users WHERE id = ?', person.userId), [])
  const after = [oldPassword, 'another password'].map((password) => signIn(tenant, person, password))
  assert.deepEqual(tally(await fixture.fire(after, random)), { INVALID_CREDENTIALS: 2 })
  const [answer] = await fixture.fire([profileWith(tenant, session)], random)
  assert.equal(answer!.outcome, reset ? 'INVALID_USER_TOKEN' : 'TOKEN_USER_NOT_FOUND')
}

/** D10: sign-ins with the old password while it is replaced: no session they create outlives the reset. */
export async function confirmAgainstSignIn(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const person = await addPerson(fixture.service, tenant, oldPassword)
  const token = await person.verified('reset_password')
  const before = passwordOf(fixture, person)
  const shots = [confirm(tenant, token, 'the password after'), ...times(24, () => signIn(tenant, person, oldPassword))]
  const [confirmed, ...signedIn] = await fixture.fire(shots, random)
  assert.equal(confirmed!.outcome, '201')
  for (const { outcome } of signedIn) assert.ok(['201', 'INVALID_CREDENTIALS'].includes(outcome), outcome)
  assert.notEqual(passwordOf(fixture, person), before)
  assert.deepEqual(liveSessionsOf(fixture, person), [])
  const sessions = signedIn.filter(({ outcome }) => outcome === '201').map(({ body }) => body.data.accessToken)
  const answers = await fixture.fire(
    sessions.map((session) => profileWith(tenant, session)),
    random,
  )
  assert.deepEqual(tally(answers), sessions.length === 0 ? {} : { INVALID_USER_TOKEN: sessions.length })
  await assertPassword(fixture, tenant, person, ['the password after'], 0, random)
}
