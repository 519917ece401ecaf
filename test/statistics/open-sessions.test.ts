import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isInForce } from '../../server/accounts/restriction.ts'
import { addRecoveryCode } from '../support/recovery-code.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, newEmail, sessionIdOf, signInByCode } from '../support/sign-in-methods.ts'
import { readSourceFiles } from '../support/source-files.ts'

const day = 86_400_000
const password = 'correct horse'
let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** What the rows say. */
async function countedRows({ tenantId }: TestTenant) {
  const { counts } = service.service.services.storage.forTenant(tenantId)
  const now = service.clock.now()
  const { users, guests, suspensions } = await counts.countUsers('', 1_000)
  const suspended = suspensions.filter((one) => isInForce(one, now)).length
  const { openSessions } = await counts.countSessions('', 1_000, now)
  return { users, guests, suspended, openSessions }
}

/** Asserts what statistics show, which is what the rows say. */
async function shows(tenant: TestTenant, openSessions: number): Promise<void> {
  const { totals } = await service.admin.getTenantStatistics(tenant)
  assert.equal(totals?.openSessions, openSessions)
  assert.deepEqual(totals, await countedRows(tenant))
}

/** A user with a verified address who is signed in three times, and another user who is signed in once. */
async function newPeople() {
  const tenant = await addOpenTenant(service)
  const email = newEmail()
  const { id: userId } = await service.admin.createUser(tenant, { email, emailVerified: true, password })
  const signIn = () => tenant.client.signIn({ method: 'password', email, password })
  const sessions = [await signIn(), await signIn(), await signIn()] as const
  const other = await tenant.client.signUp({ method: 'password', email: newEmail(), password })
  await shows(tenant, 4)
  return {
    ...{ tenant, userId, email, sessions, other, signIn },
    path: { tenantId: tenant.tenantId, userId },
    client: tenant.client.withSession(sessions[0].accessToken),
  }
}
type People = Awaited<ReturnType<typeof newPeople>>

async function newGuest() {
  const tenant = await addOpenTenant(service)
  const session = await tenant.client.signIn({ method: 'guest' })
  await shows(tenant, 1)
  return { tenant, session, client: tenant.client.withSession(session.accessToken) }
}

const ways: [way: string, left: number, act: (people: People) => Promise<unknown>][] = [
  ['a sign-out', 3, ({ client }) => client.signOut({ scope: 'this' })],
  ['a sign-out of the others', 2, ({ client }) => client.signOut({ scope: 'others' })],
  ['a sign-out of all', 1, ({ client }) => client.signOut({ scope: 'all' })],
  ['its user', 3, ({ client, sessions }) => client.endSession({ sessionId: sessionIdOf(sessions[1]) })],
  [
    'a changed password',
    2,
    ({ client }) => client.changePassword({ currentPassword: password, password: 'new horse' }),
  ],
  [
    'a reset password',
    1,
    async ({ tenant: { client }, email }) => {
      const { id } = await client.resetPassword({ step: 'challenge', email })
      await client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
      await client.resetPassword({ step: 'confirm', token: id, password: 'battery staple' })
    },
  ],
  [
    'a refresh token that is used twice',
    3,
    async ({ tenant: { client }, sessions: [{ refreshToken }] }) => {
      await client.refreshSession({ refreshToken })
      service.clock.advance(60_000)
      for (let time = 0; time < 2; time++)
        await refused(client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
    },
  ],
  [
    'an undone change of address',
    1,
    async ({ tenant, userId, email: recipient }) => {
      const to = { userId, deliveryMethod: 'email', recipient } as const
      const { otpId: id, code } = await addRecoveryCode(service, tenant.tenantId, to)
      await tenant.client.recoverAccount({ id, code })
    },
  ],
  [
    'an operator',
    3,
    async ({ path, sessions }) => {
      const one = { ...path, sessionId: sessionIdOf(sessions[1]) }
      await service.admin.endUserSession(one)
      await refused(service.admin.endUserSession(one), 'SESSION_NOT_FOUND')
    },
  ],
  ['an operator who ends all', 1, ({ path }) => service.admin.endUserSessions(path)],
  ['the deletion of the account', 1, ({ client }) => client.deleteAccount()],
  ['the deletion of the user', 1, ({ path }) => service.admin.deleteUser(path)],
  [
    'the deletion of a suspended user',
    1,
    async ({ path }) => {
      await service.admin.updateUser(path, { suspension: {} })
      await service.admin.deleteUser(path)
      await refused(service.admin.deleteUser(path), 'USER_NOT_FOUND')
    },
  ],
  [
    'the deletion of a user who comes back by import',
    1,
    async ({ path, email }) => {
      await service.admin.deleteUser(path)
      const row = { id: path.userId, email, suspension: { reason: 'spam' } }
      await Array.fromAsync(service.admin.importUsers(path, [row, { guest: true }]))
    },
  ],
]

for (const [way, left, act] of ways) {
  test(`a session that is ended by ${way} is not counted`, async () => {
    const people = await newPeople()
    await act(people)
    await shows(people.tenant, left)
    await people.client.signOut({ scope: 'all' }).catch(() => {})
    await service.admin.endUserSessions(people.path).catch(() => {})
    await shows(people.tenant, 1)
  })
}

test('sessions of suspended users and tenants stay open', async () => {
  const { tenant, path, client, other } = await newPeople()
  await service.admin.updateUser(path, { suspension: {} })
  await service.admin.updateTenant(tenant, { suspended: true })
  await shows(tenant, 4)
  await service.admin.updateTenant(tenant, { suspended: false })
  await service.admin.updateUser(path, { suspension: null })
  await client.signOut({ scope: 'this' })
  await tenant.client.withSession(other.accessToken).signOut({ scope: 'this' })
  await shows(tenant, 2)
})

test('the first proof of an address ends the sessions of the one who claimed it', async () => {
  const tenant = await addOpenTenant(service)
  const email = newEmail()
  const squat = () => tenant.client.signIn({ method: 'password', email, password })
  await tenant.client.signUp({ method: 'password', email, password })
  await squat()
  await shows(tenant, 2)
  assert.equal((await signInByCode(service, tenant, { email })).firstProof, true)
  await shows(tenant, 1)
})

test('a guest’s first way to sign in replaces the session', async () => {
  const linked = await newGuest()
  await linked.client.addIdentity({ method: 'password', email: newEmail(), password })
  await shows(linked.tenant, 1)

  const proven = await newGuest()
  const { id } = await proven.client.changeEmail({ email: newEmail() })
  await proven.client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await shows(proven.tenant, 1)
  assert.equal((await service.admin.getTenantStatistics(proven.tenant, { days: 1 })).days[0]?.signUps, 1)

  const { tenant, session } = await newGuest()
  await service.admin.updateUser({ ...tenant, userId: session.user.id }, { email: newEmail() })
  await shows(tenant, 0)
})

test('a user who changes an address is not counted as a sign-up', async () => {
  const { tenant, client } = await newPeople()
  const { id } = await client.changeEmail({ email: newEmail() })
  await client.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  await shows(tenant, 4)
  assert.equal((await service.admin.getTenantStatistics(tenant, { days: 1 })).days[0]?.signUps, 1)
})

test('sessions that expire, and those of idle guests, are gone within the hour', async () => {
  await using service = await startTestService()
  const { admin, clock } = service
  const tenant = await addOpenTenant(service)
  await admin.updateConfiguration(tenant, { auth: { guest: { idleDays: 3 } } })
  const shown = async () => (await admin.getTenantStatistics(tenant)).totals
  const enter = () => tenant.client.signIn({ method: 'guest' })
  await enter()
  clock.advance(3 * day + 1)
  await service.service.services.housekeeping.run()
  assert.deepEqual(await shown(), { users: 0, guests: 0, suspended: 0, openSessions: 0 })

  const { id: userId } = await admin.createUser(tenant, { email: newEmail(), password })
  const { email } = await admin.getUser({ ...tenant, userId })
  const first = await tenant.client.signIn({ method: 'password', email: email!, password })
  clock.advance(2 * day)
  await tenant.client.signIn({ method: 'password', email: email!, password })
  await admin.updateUser(
    { ...tenant, userId },
    { suspension: { until: new Date(clock.now() + 10 * day).toISOString() } },
  )
  clock.advance(3_600_000)
  await service.service.services.housekeeping.run()
  const both = { users: 1, guests: 0, suspended: 1, openSessions: 2 }
  assert.deepEqual(await shown(), both)
  clock.advance(10 * day)
  await service.service.services.housekeeping.run()
  assert.deepEqual(await shown(), { ...both, suspended: 0 })
  // Unused for 30 days.
  clock.advance(18 * day - 3_600_000)
  await refused(tenant.client.refreshSession(first), 'INVALID_REFRESH_TOKEN')
  await service.service.services.housekeeping.run()
  assert.deepEqual(await shown(), { ...both, suspended: 0, openSessions: 1 })
  clock.advance(2 * day)
  await service.service.services.housekeeping.run()
  assert.equal((await shown())?.openSessions, 0)
})

test('sessions of a deleted tenant are not in the deployment’s count', async () => {
  await using service = await startTestService()
  const [one, two] = [await addOpenTenant(service), await addOpenTenant(service)]
  for (const { client } of [one, two, two]) await client.signIn({ method: 'guest' })
  const shown = async () => (await service.admin.getStatistics()).totals
  assert.deepEqual([(await shown()).openSessions, (await shown()).users], [3, 3])
  await service.admin.deleteTenant(two)
  assert.deepEqual([(await shown()).openSessions, (await shown()).users], [1, 1])
})

test('only what counts them ends sessions', () => {
  const ending = readSourceFiles().filter(
    ({ path, text }) => /^server\/(?!storage\/)/.test(path) && /\bsessions\.revoke(?:AllOf)?\(/.test(text),
  )
  // An import ends sessions of an erased user, which are not counted any more.
  assert.deepEqual(ending.map(({ path }) => path).sort(), [
    'server/accounts/sessions/end-sessions.ts',
    'server/admin/users/store-rows.ts',
  ])
})
