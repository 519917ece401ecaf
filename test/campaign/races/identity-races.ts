import assert from 'node:assert/strict'
import { createGuestPurge } from '../../../server/accounts/purge-guests.ts'
import { storedOtp, storedRow, storedRows, writeStored } from '../../support/databases/stored-rows.ts'
import type { StoredRow } from '../../support/databases/test-database.ts'
import { addPerson, type Person } from '../../support/person.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { type Shot, tally, turns } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

/** A call of a signed-in user: `DELETE /account`. */
const as = ({ key }: TestTenant, token: string, line: string, body?: object): Shot => ({
  line,
  key,
  token,
  ...(body !== undefined && { body }),
})

/** An ID token of a Google account, issued at the fixture's time. */
function idTokenOf({ google, service }: RaceFixture, sub: string): Promise<string> {
  google.clock = service.clock
  return google.sign({ sub })
}

const identitiesOf = ({ service }: RaceFixture, userId: string) =>
  storedRows(service, 'SELECT * FROM identities WHERE user_id = ? ORDER BY subject', userId)

const userRow = ({ service }: RaceFixture, { userId }: Person) =>
  storedRow(service, 'SELECT * FROM users WHERE id = ?', userId)

/** D27: two users link one account at Google, three times each: one gets it, and succeeds every time. */
export async function linksOfOneIdentity(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const people = [await addPerson(service, tenant), await addPerson(service, tenant)]
  const tokens = await Promise.all(people.map(async (person) => (await person.signIn()).accessToken))
  const sub = `subject-${random.below(1e9)}-${random.below(1e9)}`
  const idTokens = await Promise.all(times(6, () => idTokenOf(fixture, sub)))
  const link = (idToken: string, index: number) =>
    as(tenant, tokens[index % 2]!, 'POST /account/identities', { method: 'google', idToken })
  const answers = await fixture.fire(idTokens.map(link), random)
  const [row, ...more] = storedRows(service, 'SELECT * FROM identities WHERE subject = ?', sub)
  assert.equal(more.length, 0)
  for (const [index, { outcome }] of answers.entries()) {
    const isOwner = people[index % 2]!.userId === row!['user_id']
    assert.equal(outcome, isOwner ? '201' : 'IDENTITY_LINKED_ELSEWHERE')
  }
  const { user } = await tenant.client.signIn({ method: 'google', idToken: await idTokenOf(fixture, sub) })
  assert.equal(user.id, row!['user_id'])
}

/** D28: two users verify the same new address, twice each: one gets it, the other is unchanged. */
export async function changesToOneAddress(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const email = `wanted-${random.below(1e9)}-${random.below(1e9)}@example.com`
  const scope = 'email_verification'
  const wishes: { person: Person; id: string; code: string; before: StoredRow }[] = []
  for (const person of [await addPerson(service, tenant), await addPerson(service, tenant)]) {
    await person.prove()
    const { id } = await (await person.client()).changeEmail({ email })
    wishes.push({ person, id, code: await service.codeOf(id), before: userRow(fixture, person) })
  }
  const verify = (index: number): Shot => {
    const { id, code } = wishes[index % 2]!
    return { line: 'POST /otp/verify', key: tenant.key, body: { id, scope, code } }
  }
  const answers = await fixture.fire(times(4, verify), random)
  assert.deepEqual(tally(answers), { 201: 1, OTP_ALREADY_CONSUMED: 1, EMAIL_ALREADY_REGISTERED: 2 })
  const winner = answers.findIndex(({ outcome }) => outcome === '201') % 2
  const [won, lost] = [wishes[winner]!, wishes[1 - winner]!]
  const now = service.clock.now()
  assert.deepEqual(userRow(fixture, won.person), { ...won.before, email, email_verified_at: now, updated_at: now })
  assert.deepEqual(userRow(fixture, lost.person), lost.before)
  assert.equal(storedOtp(service, won.id)['state'], 'consumed')
  assert.equal(storedOtp(service, lost.id)['state'], 'pending')
  const notices = storedRows(
    service,
    "SELECT recipient FROM outbox WHERE kind = 'email_changed' AND created_at = ? ORDER BY recipient",
    now,
  )
  const mine = notices.filter(({ recipient }) => wishes.some(({ before }) => before['email'] === recipient))
  assert.deepEqual(mine, [{ recipient: won.before['email'] }])
}

/** D29: the last two identities of an account are removed, twice each: one stays. */
export async function removalsOfTheLastTwo(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const person = await addPerson(fixture.service, tenant)
  const { accessToken } = await person.signIn()
  const client = tenant.client.withSession(accessToken)
  const idToken = await idTokenOf(fixture, `subject-${random.below(1e9)}-${random.below(1e9)}`)
  const { identities } = await client.addIdentity({ method: 'google', idToken })
  assert.equal(identities.length, 2)
  const remove = (index: number) => as(tenant, accessToken, `DELETE /account/identities/${identities[index % 2]!.id}`)
  const answers = await fixture.fire(times(4, remove), random)
  assert.deepEqual(tally(answers), { 204: 1, IDENTITY_NOT_FOUND: 1, LAST_IDENTITY: 2 })
  const removed = answers.findIndex(({ outcome }) => outcome === '204') % 2
  assert.deepEqual((await client.getAccount()).identities, [identities[1 - removed]])
}

/** D30: an account is deleted while it is used in every way: no row is left, and no request gets an error. */
export async function deletionAgainstUse(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const [person, bystander] = [await addPerson(service, tenant, 'correct horse'), await addPerson(service, tenant)]
  const before = userRow(fixture, bystander)
  const { accessToken: token, refreshToken } = await person.signIn()
  const client = tenant.client.withSession(token)
  const google = async () => ({ method: 'google' as const, idToken: await idTokenOf(fixture, person.userId) })
  if (random.next() < 0.5) await client.addIdentity(await google())
  const { id } = await client.issueOtp({ scope: 'email_verification' })
  const code = await service.codeOf(id)
  const { key } = tenant
  const password = { currentPassword: 'correct horse', password: 'another password' }
  const refresh: Shot = { line: 'POST /auth/refresh', key, body: { refreshToken } }
  const uses: readonly Shot[] = [
    refresh,
    as(tenant, token, 'PATCH /account/profile', {}),
    as(tenant, token, 'POST /account/identities', await google()),
    as(tenant, token, 'POST /account/password', password),
    as(tenant, token, 'DELETE /account/identities/password'),
    as(tenant, token, 'GET /account/export'),
    { line: 'POST /auth/sign-in', key, body: { method: 'password', email: person.email, password: 'correct horse' } },
    { line: 'POST /otp/verify', key, body: { id, scope: 'email_verification', code } },
  ]
  const line = `DELETE /admin/tenants/${tenant.tenantId}/users/${person.userId}`
  const deletion = random.pick([as(tenant, token, 'DELETE /account'), { line, adminKey: service.adminKey }])
  // With one or two uses, the deletion meets them within a turn or two; with all at once, at any point.
  const isClose = random.next() < 0.7
  const shuffled = random.shuffled(uses)
  const some = isClose ? random.pick([[refresh], shuffled.slice(0, 2)]) : shuffled
  const firing = { whole: isClose, together: isClose }
  const using = fixture.fire(some, random, firing)
  await turns(random.below(isClose ? 3 : 60))
  const [deleted] = await fixture.fire([deletion], random, firing)
  assert.equal(deleted!.outcome, '204')
  for (const { status, outcome } of await using) assert.ok(status < 300 || refusals.has(outcome), outcome)

  for (const table of ['profiles', 'identities']) {
    assert.deepEqual(storedRows(service, `SELECT id FROM ${table} WHERE user_id = ?`, person.userId), [], table)
  }
  assert.deepEqual(storedRows(service, 'SELECT id FROM users WHERE id = ?', person.userId), [])
  const live = "SELECT id FROM otps WHERE user_id = ? AND (state NOT IN ('consumed', 'cancelled') OR recipient <> '')"
  assert.deepEqual(storedRows(service, live, person.userId), [])
  const seen = "SELECT id FROM sessions WHERE user_id = ? AND (user_agent IS NOT NULL OR address <> '')"
  assert.deepEqual(storedRows(service, seen, person.userId), [])
  assert.deepEqual(userRow(fixture, bystander), before)
}

/** Possible outcomes of a use of an account that is being deleted. */
const refusals = new Set([
  'TOKEN_USER_NOT_FOUND',
  'INVALID_CREDENTIALS',
  'IDENTITY_NOT_FOUND',
  'LAST_IDENTITY',
  'OTP_NOT_PENDING',
])

/** D31: an idle guest becomes a full user while idle guests are erased: exactly one of the two happens. */
export async function guestPurgeAgainstLink(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const { storage, snapshots, counts } = service.service.services
  const tenant = await fixture.tenantWith()
  const { accessToken, user } = await tenant.client.signIn({ method: 'guest' })
  const yearsAgo = service.clock.now() - 3 * 365 * 86_400_000
  await writeStored(service, 'UPDATE users SET last_active_at = ? WHERE id = ?', yearsAgo, user.id)
  const email = `guest-${random.below(1e9)}-${random.below(1e9)}@example.com`
  const codes = { scope: 'otp_signin', email } as const
  const { id: token } = await tenant.client.issueOtp(codes)
  await tenant.client.verifyOtp({ id: token, scope: 'otp_signin', code: await service.codeOf(token) })
  const password = { method: 'password', email, password: 'correct horse' } as const
  // Hashing a password takes long; a code is consumed within a few turns.
  const body = random.pick([password, { method: 'otp', token }])
  const linking = fixture.fire([as(tenant, accessToken, 'POST /account/identities', body)], random)
  await turns(random.below(60))
  await createGuestPurge(storage, snapshots, counts)(service.clock.now())
  const [linked] = await linking
  const rows = storedRows(service, 'SELECT guest, email FROM users WHERE id = ?', user.id)
  if (linked!.outcome === '201') {
    assert.deepEqual(rows, [{ guest: 0, email }])
    if (body === password) await tenant.client.signIn(password)
  } else {
    assert.equal(linked!.outcome, 'TOKEN_USER_NOT_FOUND')
    assert.deepEqual(rows, [])
    assert.deepEqual(identitiesOf(fixture, user.id), [])
  }
}

/**
 * D32: one ID token in 16 sign-ins and links of its account: one succeeds, the others store no row. On PostgreSQL, a
 * sign-in and a link that lock the token and the user in opposite orders would deadlock.
 */
export async function usesOfOneIdToken(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const { key } = tenant
  const person = await addPerson(fixture.service, tenant)
  const { accessToken } = await person.signIn()
  const sub = `subject-${random.below(1e9)}-${random.below(1e9)}`
  if (random.next() < 0.7) {
    const idToken = await idTokenOf(fixture, sub)
    await tenant.client.withSession(accessToken).addIdentity({ method: 'google', idToken })
  }
  const [users, sessions] = [rowsOf(fixture, tenant, 'users'), rowsOf(fixture, tenant, 'sessions')]
  const body = { method: 'google', idToken: await idTokenOf(fixture, sub) }
  const use = (): Shot =>
    random.next() < 0.6
      ? { line: 'POST /auth/sign-in', key, body }
      : as(tenant, accessToken, 'POST /account/identities', body)
  const shots = times(16, use)
  const answers = await fixture.fire(shots, random)
  assert.deepEqual(tally(answers), { 201: 1, INVALID_SOCIAL_TOKEN: 15 })
  const winner = answers.findIndex(({ outcome }) => outcome === '201')
  const signedIn = shots[winner]!.line === 'POST /auth/sign-in'
  assert.equal(rowsOf(fixture, tenant, 'sessions') - sessions, signedIn ? 1 : 0)
  assert.equal(rowsOf(fixture, tenant, 'users') - users, answers[winner]!.body.data.isNewUser === true ? 1 : 0)
}

const rowsOf = ({ service }: RaceFixture, { tenantId }: TestTenant, table: string): number =>
  Number(storedRow(service, `SELECT COUNT(*) AS count FROM ${table} WHERE tenant_id = ?`, tenantId)['count'])
