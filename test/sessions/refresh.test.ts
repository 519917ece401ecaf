import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { changesNothing, storedBytes, storedRow } from '../support/databases/stored-rows.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { addOpenTenant, isOpen, isOver, sessionIdOf } from '../support/sign-in-methods.ts'

const DAY = 86_400_000
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
})
after(() => service.close())

const enter = ({ client } = tenant) => client.signIn({ method: 'guest' })
const refresh = (refreshToken: string, { client } = tenant) => client.refreshSession({ refreshToken })
const isLive = ({ accessToken }: SessionAnswer) => tenant.client.withSession(accessToken).getAccount()
const rowOf = (session: SessionAnswer) =>
  storedRow(service, 'SELECT * FROM sessions WHERE id = ?', sessionIdOf(session))

/** Another process on the same database, started later, which knows only stored data. */
async function startAnother(masterKeys = service.masterKeys) {
  const { database, clock } = service
  const process = await startTestService({ database, masterKeys, clock })
  const client = createTenantryClient({ baseUrl: process.baseUrl, tenantKey: tenant.key })
  return { client, [Symbol.asyncDispose]: () => process.close() }
}

test('replaces the refresh token and stores only the hash of the new one', async () => {
  const first = await enter()
  service.clock.advance(1000)
  const second = await refresh(first.refreshToken)
  assert.match(second.refreshToken, /^rt_[0-9A-Z]{26}_[\w-]{43}_[\w-]{22}$/)
  assert.notEqual(second.refreshToken, first.refreshToken)
  const row = rowOf(first)
  assert.equal(row['refresh_hash'], hash('sha256', second.refreshToken, 'hex'))
  assert.equal(row['previous_refresh_hash'], hash('sha256', first.refreshToken, 'hex'))
  const now = service.clock.now()
  assert.deepEqual([row['last_used_at'], row['idle_expires_at']], [now, now + 30 * DAY])
  const bytes = storedBytes(service)
  for (const { refreshToken } of [first, second]) {
    assert.ok(!bytes.includes(refreshToken.slice(-66, -23)) && !service.log.join().includes(refreshToken))
  }
  await isLive(first)
  await isLive(second)
})

test('answers a repeated refresh within ten seconds with the same successor', async () => {
  const first = await enter()
  const second = await refresh(first.refreshToken)
  service.clock.advance(9_999)
  await changesNothing(service, async () => {
    for (let time = 0; time < 3; time++)
      assert.equal((await refresh(first.refreshToken)).refreshToken, second.refreshToken)
  })
  await isOpen(tenant, second)
})

test('revokes the session when a used token is sent after ten seconds', async () => {
  const first = await enter()
  const other = await tenant.client.signIn({ method: 'guest' })
  const second = await refresh(first.refreshToken)
  service.clock.advance(10_000)
  await refused(refresh(first.refreshToken), 'INVALID_REFRESH_TOKEN')
  await isOver(tenant, second)
  await isOver(tenant, first)
  await isLive(other)
  const warning = service.log
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg?.includes('refresh token reuse detected'))
  assert.deepEqual(
    [warning.level, warning.tenantId, warning.userId, warning.sessionId],
    [40, tenant.tenantId, first.user.id, sessionIdOf(first)],
  )
})

test('revokes the session when a used token is sent after the clock was set back', async () => {
  service.clock.advance(365 * DAY)
  const first = await enter()
  const second = await refresh(first.refreshToken)
  service.clock.advance(-365 * DAY)
  await refused(refresh(first.refreshToken), 'INVALID_REFRESH_TOKEN')
  await isOver(tenant, second)
})

test('revokes the session at once for a token two generations old', async () => {
  const first = await enter()
  const second = await refresh(first.refreshToken)
  const third = await refresh(second.refreshToken)
  assert.equal((await refresh(second.refreshToken)).refreshToken, third.refreshToken)
  await refused(refresh(first.refreshToken), 'INVALID_REFRESH_TOKEN')
  await isOver(tenant, third)
})

test('starts the ten seconds with the refresh, not with its repetition', async () => {
  const first = await enter()
  await refresh(first.refreshToken)
  service.clock.advance(9_000)
  await refresh(first.refreshToken)
  service.clock.advance(1_000)
  await refused(refresh(first.refreshToken), 'INVALID_REFRESH_TOKEN')
})

test('refuses refreshing while sign_in is restricted, and keeps the session', async () => {
  const session = await enter()
  const { refreshToken } = session
  const path = { tenantId: tenant.tenantId, userId: session.user.id }
  const restrict = (capabilities: 'sign_in'[]) =>
    service.admin.updateUser(path, { restrictedCapabilities: capabilities })
  await restrict(['sign_in'])
  await changesNothing(service, () => refused(refresh(refreshToken), 'RESTRICTED_CAPABILITY'))
  await restrict([])
  const next = await refresh(refreshToken)
  await service.admin.updateTenant(tenant, { restrictedCapabilities: ['sign_in'] })
  try {
    await changesNothing(service, () => refused(refresh(next.refreshToken), 'RESTRICTED_CAPABILITY'))
  } finally {
    await service.admin.updateTenant(tenant, { restrictedCapabilities: [] })
  }
  await isOpen(tenant, next)
})

test('gives 20 concurrent refreshes in two processes the same successor', async () => {
  await using other = await startAnother()
  const first = await enter()
  const { refreshToken } = first
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => [tenant, other][index % 2]!.client.refreshSession({ refreshToken })),
  )
  const successors = new Set(answers.map((answer) => answer.refreshToken))
  assert.equal(successors.size, 1)
  for (const answer of answers) await isLive(answer)
  const next = await refresh([...successors][0]!)
  assert.equal(sessionIdOf(next), sessionIdOf(first))
})

test('refreshes in a process that was started later with the same master keys', async () => {
  await using restarted = await startAnother()
  const first = await enter()
  const second = await refresh(first.refreshToken)
  assert.equal((await restarted.client.refreshSession(first)).refreshToken, second.refreshToken)
  const third = await restarted.client.refreshSession(second)
  await isOpen(tenant, third)
})

test('accepts and repeats earlier tokens after a master key rotation', async () => {
  const newKey = generateMasterKeys(service.clock.now() + DAY)
  await using rotated = await startAnother(`${newKey},${service.masterKeys}`)
  const [first, other] = [await enter(), await enter()]
  const second = await refresh(first.refreshToken)
  assert.equal((await rotated.client.refreshSession(first)).refreshToken, second.refreshToken)
  const third = await rotated.client.refreshSession(second)
  assert.equal((await rotated.client.refreshSession(second)).refreshToken, third.refreshToken)

  // A token of a key that this process lacks is accepted by its stored hash; once used, it is unknown here.
  const fourth = await refresh(third.refreshToken)
  assert.equal((await rotated.client.refreshSession(third)).refreshToken, fourth.refreshToken)
  const fifth = await rotated.client.refreshSession(fourth)
  await changesNothing(service, () => refused(refresh(third.refreshToken), 'INVALID_REFRESH_TOKEN'))
  await refresh(fifth.refreshToken)
  const successor = await rotated.client.refreshSession(other)
  service.clock.advance(10_000)
  await refused(refresh(other.refreshToken), 'INVALID_REFRESH_TOKEN')
  await refused(rotated.client.refreshSession(successor), 'INVALID_REFRESH_TOKEN')
})

test('expires a session after 30 unused days; each refresh restarts them', async () => {
  let kept = await enter()
  const lost = await enter()
  for (let month = 0; month < 2; month++) {
    service.clock.advance(30 * DAY - 1)
    kept = await refresh(kept.refreshToken)
  }
  const before = await enter()
  service.clock.advance(30 * DAY)
  const lines = service.log.length
  for (const session of [kept, lost, before]) await changesNothing(service, () => isOver(tenant, session))
  // The session has expired; this is not a reuse.
  assert.ok(!service.log.slice(lines).join().includes('refresh token reuse'))
})

test('expires a session after 180 days with its last access token', async () => {
  let session = await enter()
  const end = service.clock.now() + 180 * DAY
  for (let month = 0; month < 6; month++) {
    service.clock.advance(29 * DAY)
    session = await refresh(session.refreshToken)
  }
  service.clock.set(end - 1)
  const last = await refresh(session.refreshToken)
  await isLive(last)
  service.clock.advance(1)
  await changesNothing(service, () => isOver(tenant, last))
})

test('refuses refreshing for a suspended user without ending the session, and reports a deleted user', async () => {
  const session = await enter()
  const who = { tenantId: tenant.tenantId, userId: session.user.id }
  await service.admin.updateUser(who, { suspension: { reason: 'Under review' } })
  await changesNothing(service, async () => {
    await refused(refresh(session.refreshToken), 'RESTRICTED_CAPABILITY')
    await refused(isLive(session), 'RESTRICTED_CAPABILITY')
  })
  await service.admin.updateUser(who, { suspension: null })
  const next = await isOpen(tenant, session)
  await service.admin.deleteUser(who)
  await changesNothing(service, async () => {
    await refused(refresh(next.refreshToken), 'TOKEN_USER_NOT_FOUND')
    await refused(isLive(next), 'TOKEN_USER_NOT_FOUND')
  })
  // After the session has ended, the answer no longer reveals its user.
  service.clock.advance(30 * DAY)
  await refused(refresh(next.refreshToken), 'INVALID_REFRESH_TOKEN')
})

test('refuses the tokens of a signed-out session, used ones too', async () => {
  const first = await enter()
  const second = await refresh(first.refreshToken)
  await tenant.client.withSession(second.accessToken).signOut({ scope: 'this' })
  await changesNothing(service, async () => {
    for (const { refreshToken } of [first, second]) await refused(refresh(refreshToken), 'INVALID_REFRESH_TOKEN')
  })
})
