import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { changesNothing, storedOtp } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { isOpen, isOver, sessionIdOf } from '../support/sign-in-methods.ts'

const DAY = 86_400_000
let service: TestService
/** Another process on the same database. */
let beside: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  const { database, masterKeys, clock } = service
  beside = await startTestService({ database, masterKeys, clock })
  tenant = await service.addTenant()
})
after(async () => {
  await beside.close()
  await service.close()
})

const as = ({ accessToken }: SessionAnswer) => tenant.client.withSession(accessToken)
/** The same call to the other process. */
const besideAs = ({ accessToken }: SessionAnswer) =>
  createTenantryClient({ baseUrl: beside.baseUrl, tenantKey: tenant.key, accessToken })
const sessionIds = async (session: SessionAnswer) => (await as(session).listSessions()).sessions.map(({ id }) => id)

/** Asserts that a session has ended in every process. */
async function isOverEverywhere(session: SessionAnswer): Promise<void> {
  await isOver(tenant, session)
  await refused(besideAs(session).getAccount(), 'INVALID_USER_TOKEN')
  await refused(besideAs(session).refreshSession(session), 'INVALID_REFRESH_TOKEN')
}

/** A number of sessions of one person, whose tokens both processes have already accepted. */
async function openSessions(count: number) {
  const person = await addPerson(service, tenant)
  const sessions: SessionAnswer[] = []
  for (let index = 0; index < count; index++) {
    const session = await person.signIn()
    await besideAs(session).getAccount()
    await as(session).getAccount()
    sessions.push(session)
  }
  return { person, sessions }
}

test('lists each session with device, network and times, the last used one first', async () => {
  const person = await addPerson(service, tenant)
  const body = { method: 'password' as const, email: person.email, password: person.password }
  const from = (clientIp: string, tenantKey = tenant.secretKey) =>
    createTenantryClient({ baseUrl: service.baseUrl, tenantKey, clientIp })
  const time = () => new Date(service.clock.now()).toISOString()
  const idleEnd = () => new Date(service.clock.now() + 30 * DAY).toISOString()
  const enter = async (clientIp: string, userAgent: string, key?: string) => {
    service.clock.advance(1000)
    const session = await from(clientIp, key).signIn(body, { headers: { 'user-agent': userAgent } })
    const row = { id: sessionIdOf(session), current: false, userAgent, createdAt: time(), lastUsedAt: time() }
    return { session, row: { ...row, expiresAt: idleEnd() } }
  }
  const phone = await enter('198.51.100.77', 'Phone/1.0')
  const tablet = await enter('2001:db8:1:2:3::4', 'Tablet/1.0')
  const mapped = await enter('::ffff:203.0.113.9', 'A'.repeat(600))
  const believed = await enter('198.51.100.77', 'Publishable', tenant.key)
  const rows = [
    { ...believed.row, network: '127.0.0.0/24', current: true },
    { ...mapped.row, network: '203.0.113.0/24', userAgent: 'A'.repeat(512) },
    { ...tablet.row, network: '2001:db8:1::/48' },
    { ...phone.row, network: '198.51.100.0/24' },
  ]
  assert.deepEqual((await as(believed.session).listSessions()).sessions, rows)

  service.clock.advance(1000)
  const { refreshToken } = phone.session
  await from('192.0.2.200').refreshSession({ refreshToken }, { headers: { 'user-agent': 'Phone/1.1' } })
  const refreshed = { lastUsedAt: time(), expiresAt: idleEnd(), userAgent: 'Phone/1.1', network: '192.0.2.0/24' }
  assert.deepEqual((await as(believed.session).listSessions()).sessions, [
    { ...rows[3], ...refreshed },
    ...rows.slice(0, 3),
  ])
  // Use without a refresh changes nothing.
  await as(tablet.session).getAccount()
  const [first, second] = (await as(tablet.session).listSessions()).sessions
  assert.deepEqual([first?.id, second?.id, second?.current], [phone.row.id, believed.row.id, false])
})

test('lists only the open sessions of this user at this tenant', async () => {
  const { person, sessions } = await openSessions(3)
  const [current, ended, idle] = sessions as [SessionAnswer, SessionAnswer, SessionAnswer]
  await openSessions(1)
  const other = await service.addTenant()
  await service.admin.createUser(other, { email: person.email, password: person.password })
  await other.client.signIn({ method: 'password', email: person.email, password: person.password })
  await as(ended).signOut({ scope: 'this' })
  service.clock.advance(30 * DAY - 1)
  const kept = await tenant.client.refreshSession(current)
  assert.deepEqual((await sessionIds(kept)).toSorted(), [current, idle].map(sessionIdOf).toSorted())
  service.clock.advance(1)
  assert.deepEqual(await sessionIds(kept), [sessionIdOf(current)])
})

test('signing out without a body ends this session only', async () => {
  const { sessions } = await openSessions(2)
  const [left, stays] = sessions as [SessionAnswer, SessionAnswer]
  const wire = { key: tenant.key, token: left.accessToken }
  assert.equal((await request(service, 'POST /auth/sign-out', wire)).status, 201)
  await refused(as(left).getAccount(), 'INVALID_USER_TOKEN')
  await as(stays).signOut()
  await refused(as(stays).getAccount(), 'INVALID_USER_TOKEN')
})

test('shows the absolute expiry when it precedes the idle expiry', async () => {
  let session = (await openSessions(1)).sessions[0]!
  const end = new Date(service.clock.now() + 180 * DAY).toISOString()
  for (let month = 0; month < 6; month++) {
    service.clock.advance(29 * DAY)
    session = await tenant.client.refreshSession(session)
  }
  assert.equal((await as(session).listSessions()).sessions[0]?.expiresAt, end)
})

test('revokes only the session that its user ends, at once in every process', async () => {
  const { sessions } = await openSessions(3)
  const [one, two, three] = sessions as [SessionAnswer, SessionAnswer, SessionAnswer]
  await as(one).endSession({ sessionId: sessionIdOf(two) })
  await isOverEverywhere(two)
  await changesNothing(service, () => refused(as(one).endSession({ sessionId: sessionIdOf(two) }), 'SESSION_NOT_FOUND'))
  await as(one).endSession({ sessionId: sessionIdOf(one) })
  await isOverEverywhere(one)
  assert.deepEqual(await sessionIds(await isOpen(tenant, three)), [sessionIdOf(three)])
})

test('does not find or revoke sessions of another user or tenant, or with an unknown id', async () => {
  const { sessions } = await openSessions(1)
  const { sessions: theirs } = await openSessions(1)
  const other = await service.addTenant()
  const elsewhere = await (await addPerson(service, other)).signIn()
  const ids = [theirs[0]!, elsewhere].map(sessionIdOf)
  await changesNothing(service, async () => {
    for (const sessionId of [...ids, sessionIdOf(sessions[0]!).toLowerCase(), 'unknown', theirs[0]!.user.id]) {
      await refused(as(sessions[0]!).endSession({ sessionId }), 'SESSION_NOT_FOUND')
    }
  })
  await isOpen(tenant, theirs[0]!)
  await isOpen(other, elsewhere)
})

for (const [scope, ended] of [
  ['this', [1]],
  ['others', [0, 2]],
  ['all', [0, 1, 2]],
] as const) {
  test(`revokes ${ended.length} of three sessions at once in every process with sign-out of ${scope}`, async () => {
    const { sessions } = await openSessions(3)
    const { sessions: bystander } = await openSessions(1)
    assert.deepEqual(await as(sessions[1]!).signOut({ scope }), { success: true })
    for (const [index, session] of sessions.entries()) {
      if ((ended as readonly number[]).includes(index)) await isOverEverywhere(session)
      else await isOpen(tenant, session)
    }
    await isOpen(tenant, bystander[0]!)
  })
}

test('requires a valid scope and the user’s token for sign-out', async () => {
  const { sessions } = await openSessions(1)
  const [session] = sessions as [SessionAnswer]
  const other = await service.addTenant()
  await changesNothing(service, async () => {
    await invalid(as(session).signOut({ scope: 'everything' } as never), { scope: 'Invalid enum value' })
    await refused(tenant.client.signOut({ scope: 'all' }), 'MISSING_USER_TOKEN')
    await refused(other.client.withSession(session.accessToken).signOut({ scope: 'all' }), 'INVALID_USER_TOKEN')
  })
  await as(session).signOut({ scope: 'this' })
  await changesNothing(service, () => refused(as(session).signOut({ scope: 'all' }), 'INVALID_USER_TOKEN'))
})

test('revokes every other session and cancels pending resets at once in every process when the password changes', async () => {
  const { person, sessions } = await openSessions(3)
  const { sessions: bystander } = await openSessions(1)
  const [pending, verified] = [(await person.issue('reset_password')).id, await person.verified('reset_password')]
  const other = (await person.issue('otp_signin')).id
  const change = { currentPassword: person.password, password: 'battery staple' }
  await changesNothing(service, () =>
    refused(as(sessions[1]!).changePassword({ ...change, currentPassword: 'wrong' }), 'INVALID_CREDENTIALS'),
  )
  assert.deepEqual(await besideAs(sessions[1]!).changePassword(change), { success: true })
  for (const index of [0, 2]) await isOverEverywhere(sessions[index]!)
  await isOpen(tenant, sessions[1]!)
  await isOpen(tenant, bystander[0]!)
  for (const id of [pending, verified]) assert.equal(storedOtp(service, id)['state'], 'cancelled')
  assert.equal(storedOtp(service, other)['state'], 'pending')
  await refused(person.signIn(), 'INVALID_CREDENTIALS')
  await person.signIn('battery staple')
})

test('revokes every session and cancels other resets at once in every process when the password is reset', async () => {
  const { person, sessions } = await openSessions(3)
  const { sessions: bystander } = await openSessions(1)
  const [token, other] = [await person.verified('reset_password'), await person.verified('reset_password')]
  await tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  for (const session of sessions) await isOverEverywhere(session)
  await isOpen(tenant, bystander[0]!)
  assert.equal(storedOtp(service, other)['state'], 'cancelled')
})

test('refuses a suspended user at once in every process, and accepts the sessions after the suspension', async () => {
  const { person, sessions } = await openSessions(1)
  const [session] = sessions as [SessionAnswer]
  const who = { tenantId: tenant.tenantId, userId: person.userId }
  await service.admin.updateUser(who, { suspension: { reason: 'Under review' } })
  await changesNothing(service, async () => {
    for (const client of [as(session), besideAs(session)]) {
      await refused(client.getAccount(), 'RESTRICTED_CAPABILITY')
      await refused(client.signOut({ scope: 'all' }), 'RESTRICTED_CAPABILITY')
      await refused(client.updateProfile({}), 'RESTRICTED_CAPABILITY')
      await refused(client.issueOtp({ scope: 'email_verification' }), 'RESTRICTED_CAPABILITY')
    }
    await refused(person.signIn(), 'RESTRICTED_CAPABILITY')
  })
  await service.admin.updateUser(who, { suspension: null })
  await isOpen(tenant, session)
})

test('reports a deleted account to each of its sessions, in every process', async () => {
  const { sessions } = await openSessions(2)
  await as(sessions[0]!).deleteAccount()
  for (const session of sessions) {
    for (const client of [as(session), besideAs(session)]) {
      await refused(client.getAccount(), 'TOKEN_USER_NOT_FOUND')
      await refused(client.refreshSession(session), 'TOKEN_USER_NOT_FOUND')
    }
  }
})
