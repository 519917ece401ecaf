import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../../../test/support/databases/stored-rows.ts'
import { addPerson } from '../../../test/support/person.ts'
import { refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

/** A user with two sessions, opened a second apart. */
async function userWithSessions() {
  const person = await addPerson(service, tenant)
  const older = await person.signIn()
  service.clock.advance(1000)
  const newer = await person.signIn()
  return { older, newer, person, path: { tenantId: tenant.tenantId, userId: person.userId } }
}

const own = ({ accessToken }: { accessToken: string }) => tenant.client.withSession(accessToken)

test('lists the open sessions of a user as the user sees them, without `current`', async () => {
  const { older, newer, path } = await userWithSessions()
  const seen = (await own(newer).listSessions()).sessions.map(({ current: _, ...session }) => session)
  assert.equal(seen.length, 2)
  assert.deepEqual(await service.admin.listUserSessions(path), { sessions: seen })
  assert.deepEqual([seen[0]!.network, typeof seen[0]!.userAgent], ['127.0.0.0/24', 'string'])
  service.clock.advance(1000)
  await tenant.client.refreshSession({ refreshToken: older.refreshToken })
  const { sessions } = await service.admin.listUserSessions(path)
  assert.deepEqual(
    sessions.map(({ id }) => id),
    seen.map(({ id }) => id).reverse(),
  )
})

test('refuses and no longer lists a session that the operator ended; keeps the others', async () => {
  const { older, newer, path } = await userWithSessions()
  const [newest, oldest] = (await service.admin.listUserSessions(path)).sessions
  assert.equal(await service.admin.endUserSession({ ...path, sessionId: oldest!.id }), undefined)
  await refused(own(older).getAccount(), 'INVALID_USER_TOKEN')
  await refused(tenant.client.refreshSession({ refreshToken: older.refreshToken }), 'INVALID_REFRESH_TOKEN')
  await own(newer).getAccount()
  assert.deepEqual((await service.admin.listUserSessions(path)).sessions, [newest])
  await changesNothing(service, () =>
    refused(service.admin.endUserSession({ ...path, sessionId: oldest!.id }), 'SESSION_NOT_FOUND'),
  )
})

test('ends all sessions of one user at once; the user can sign in again', async () => {
  const { older, newer, person, path } = await userWithSessions()
  const bystander = await userWithSessions()
  await service.admin.endUserSessions(path)
  for (const session of [older, newer]) await refused(own(session).getAccount(), 'INVALID_USER_TOKEN')
  assert.deepEqual(await service.admin.listUserSessions(path), { sessions: [] })
  await changesNothing(service, () => service.admin.endUserSessions(path))
  await own(bystander.newer).getAccount()
  await own(await person.signIn()).getAccount()
})

test('does not list an expired session', async () => {
  const { path } = await userWithSessions()
  service.clock.advance(30 * 86_400_000 - 1000)
  const { sessions } = await service.admin.listUserSessions(path)
  assert.equal(sessions.length, 1)
  service.clock.advance(1000)
  assert.deepEqual(await service.admin.listUserSessions(path), { sessions: [] })
  await refused(service.admin.endUserSession({ ...path, sessionId: sessions[0]!.id }), 'SESSION_NOT_FOUND')
})

test('answers 404 for a session of another user or tenant', async () => {
  const [one, other] = [await userWithSessions(), await userWithSessions()]
  const { admin } = service
  const [theirs] = (await admin.listUserSessions(other.path)).sessions
  const elsewhere = { ...one.path, tenantId: (await service.addTenant()).tenantId }
  const nowhere = { ...one.path, tenantId: '01M7YRQNCSESKNDNW73532ZP9R' }
  await changesNothing(service, async () => {
    await refused(admin.endUserSession({ ...one.path, sessionId: theirs!.id }), 'SESSION_NOT_FOUND')
    await refused(admin.endUserSession({ ...one.path, sessionId: 'nonsense' }), 'SESSION_NOT_FOUND')
    for (const [path, code] of [
      [elsewhere, 'USER_NOT_FOUND'],
      [nowhere, 'TENANT_NOT_FOUND'],
    ] as const) {
      await refused(admin.listUserSessions(path), code)
      await refused(admin.endUserSessions(path), code)
      await refused(admin.endUserSession({ ...path, sessionId: theirs!.id }), code)
    }
  })
  await own(other.newer).getAccount()
})

test('answers 404 for the sessions of a deleted user', async () => {
  const { path } = await userWithSessions()
  await service.admin.deleteUser(path)
  await refused(service.admin.listUserSessions(path), 'USER_NOT_FOUND')
  await refused(service.admin.endUserSessions(path), 'USER_NOT_FOUND')
})
