import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { otpReference } from '../../server/events/subjects.ts'
import { storedRow, storedRows } from '../support/databases/stored-rows.ts'
import { addFullAccount, addTenantForFullAccounts } from '../support/full-account.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
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
test('exports the user, the restrictions with their reasons, and all related rows', async () => {
  const { client, userId, known, otps } = await addFullAccount(service, tenant, google)
  const until = new Date(service.clock.now() + 60_000).toISOString()
  const path = { tenantId: tenant.tenantId, userId }
  await service.admin.updateUser(path, { suspension: { reason: 'asked to calm down', until } })
  await refused(client.exportAccount(), 'RESTRICTED_CAPABILITY')
  service.clock.advance(60_000)
  await service.service.services.delivery.drain()

  const exported = await client.exportAccount()
  assert.equal(exported.exportedAt, now())
  const { identities, ...account } = await client.getAccount()
  const managed = await service.admin.getUser(path)
  // A suspension is exported although it has ended.
  assert.equal(managed.suspension, null)
  const suspension = { reason: 'asked to calm down', until }
  const { emailVerifiedAt, phoneVerifiedAt, passwordChangedAt, codesValidFrom, ...user } = exported.user
  assert.deepEqual(user, { ...managed, ...account, suspension })
  assert.ok([emailVerifiedAt, phoneVerifiedAt, passwordChangedAt, codesValidFrom].every(Boolean))
  assert.deepEqual(exported.user.restrictions, [{ capability: 'upload', reason: known['restriction'], until: null }])
  assert.deepEqual(
    exported.identities.map(({ subject: _, ...identity }) => identity),
    identities,
  )
  const subjects = exported.identities.map(({ subject }) => subject)
  assert.deepEqual(subjects, [...identities.slice(1).map(() => null), known['subject']])
  assert.deepEqual(exported.profile, await client.getProfile())
  const open = exported.sessions
    .filter(({ endedAt }) => endedAt === null)
    .map(({ endedAt: _, amr: __, ...session }) => session)
  assert.deepEqual(open.reverse(), (await client.listSessions()).sessions)

  const storedOtps = storedRows(
    service,
    "SELECT id FROM otps WHERE user_id = ? AND scope <> 'address_recovery' ORDER BY created_at, id",
    userId,
  )
  // The id of a reset that can still be completed is its token.
  assert.deepEqual(
    exported.otps.map(({ id }) => id),
    storedOtps.map(({ id }) => (id === otps.reset ? otpReference(otps.reset) : id)),
  )
  const signedIn = exported.otps.find(({ id }) => id === otps.signedIn)
  assert.deepEqual([signedIn?.scope, signedIn?.state, signedIn?.recipient], ['otp_signin', 'consumed', known['email']])
  assert.equal(exported.otps.find(({ id }) => id === otps.emailChange)?.recipient, known['futureEmail'])

  // Each change notified every address that was verified before it.
  const counts: Record<string, number> = {}
  for (const { kind } of exported.messages) counts[kind] = (counts[kind] ?? 0) + 1
  assert.deepEqual(counts, {
    otp: storedOtps.length,
    phone_changed: 3,
    email_changed: 2,
    identity_added: 2,
    password_changed: 2,
  })
})

test('exports when addresses were verified and the password changed, and how each session began', async () => {
  const person = await addPerson(service, tenant)
  const times = async () => {
    const token = await person.verified('otp_signin')
    const { accessToken } = await tenant.client.signIn({ method: 'otp', token })
    const { user, sessions } = await tenant.client.withSession(accessToken).exportAccount()
    const { emailVerifiedAt, phoneVerifiedAt, passwordChangedAt, codesValidFrom } = user
    const [first] = sessions
    return {
      email: emailVerifiedAt,
      phone: phoneVerifiedAt,
      password: passwordChangedAt,
      codesValidFrom,
      first: first?.amr,
    }
  }
  await person.prove()
  const proved = now()
  service.clock.advance(1_000)
  const before = { email: proved, phone: proved, password: null, codesValidFrom: null, first: ['pwd'] }
  assert.deepEqual(await times(), before)
  service.clock.advance(1_000)
  const id = await person.verified('reset_password')
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'another long one' })
  const reset = now()
  service.clock.advance(1_000)
  assert.deepEqual(await times(), { ...before, password: reset, codesValidFrom: reset })
})

test('exports sessions that have ended, and when they ended', async () => {
  const person = await addPerson(service, tenant)
  await (await person.client()).signOut({ scope: 'this' })
  const endedAt = now()
  service.clock.advance(1_000)
  const { sessions } = await (await person.client()).exportAccount()
  assert.deepEqual(
    sessions.map((session) => [session.current, session.endedAt]),
    [
      [false, endedAt],
      [true, null],
    ],
  )
})

test('exports an expired one-time password as expired, and a missing profile as null', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  service.clock.advance(600_000)
  const { profile, otps } = await (await person.client()).exportAccount()
  assert.equal(profile, null)
  assert.deepEqual(
    otps.map((otp) => [otp.id, otp.state]),
    [[id, 'expired']],
  )
})

test('exports no secret and no data of other users', async () => {
  const [{ client, userId, password, refreshToken, otps }, other] = [
    await addFullAccount(service, tenant, google),
    await addFullAccount(service, tenant, google),
  ]
  const code = await service.codeOf(otps.reset)
  // Sent to the same address, but not yet tied to a user.
  const { id: anonymous } = await other.client.issueOtp({ scope: 'otp_signin', email: other.email })
  const exported = await client.exportAccount()
  const text = JSON.stringify(exported)
  const keys = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name!)
  assert.deepEqual(
    keys.filter((name) => /hash|code(?!sValidFrom)|token|secret|sealed|password(?!_|ChangedAt)/i.test(name)),
    [],
  )
  const row = (sql: string, id: string) => Object.values(storedRow(service, sql, id)).map(String)
  const secrets = [
    ...[password, refreshToken, `"${code}"`],
    ...row('SELECT password_hash FROM users WHERE id = ?', userId),
    ...row('SELECT sealed_code FROM otps WHERE id = ?', otps.reset),
    ...storedRows(service, 'SELECT refresh_hash FROM sessions WHERE user_id = ? ORDER BY id', userId).map((stored) =>
      String(stored['refresh_hash']),
    ),
  ]
  for (const secret of secrets) assert.ok(secret.length > 5 && !text.includes(secret), secret)
  for (const others of [other.userId, anonymous, ...Object.values(other.known)]) {
    assert.ok(!text.includes(others), others)
  }
})
