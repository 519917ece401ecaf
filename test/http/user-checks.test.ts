import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { signedByUs } from '../support/attacks/forged-tokens.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** Every operation that accepts a user token. deleteAccount is last because the others need the user. */
const ofUsers = Object.entries<Operation>(operations)
  .filter(([, { auth }]) => auth.includes('user'))
  .sort(([name]) => (name === 'deleteAccount' ? 1 : -1))
const requiringOne = ofUsers.filter(([, { auth }]) => auth === 'tenant, user')

let service: TestService
let tenant: TestTenant
let person: Person
let token: string

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  person = await addPerson(service, tenant)
  token = (await person.signIn()).accessToken
})
after(() => service.close())

interface Way {
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

/**
 * The error code of the operation's answer, or its status.
 * Request checks come before body validation, so no body needs to be valid. An empty one would sign out.
 */
async function outcomeOf(
  { method, path, body }: Operation,
  { query = '', headers = {}, ...sent }: Way,
): Promise<string> {
  const line = `${method} ${path.replace(/:\w+/g, 'unknown')}${query}`
  const answer = await request(service, line, {
    key: tenant.key,
    headers,
    ...(body !== undefined && { body: { scope: 'none' } }),
    ...sent,
  })
  return answer.body?.error?.code ?? String(answer.status)
}

const withToken = (operation: Operation, given: string) =>
  outcomeOf(operation, { headers: { authorization: `Bearer ${given}` } })

/** Asserts that all of these operations answer the token with this code and change nothing. */
async function allRefuse(code: string, given: string, among = ofUsers): Promise<void> {
  await changesNothing(service, async () => {
    for (const [name, operation] of among) assert.equal(await withToken(operation, given), code, name)
  })
}

test('answers MISSING_USER_TOKEN without a token or with it in the query, a cookie or the body (threat E09) (threat F14)', async () => {
  assert.ok(requiringOne.length > 10)
  const ways: Way[] = [
    {},
    { query: `?access_token=${token}&token=${token}&authorization=Bearer%20${token}` },
    { headers: { cookie: `access_token=${token}; authorization=Bearer ${token}; token=${token}` } },
    { headers: { 'x-access-token': token, 'proxy-authorization': `Bearer ${token}` } },
  ]
  const inBody = { access_token: token, accessToken: token, authorization: `Bearer ${token}` }
  await changesNothing(service, async () => {
    for (const [name, operation] of requiringOne) {
      const all = operation.body === undefined ? ways : [...ways, { body: inBody }]
      for (const way of all) assert.equal(await outcomeOf(operation, way), 'MISSING_USER_TOKEN', name)
    }
  })
})

test('rejects malformed, expired, duplicated and foreign tokens with INVALID_USER_TOKEN (threat E09)', async () => {
  const other = await service.addTenant()
  const stranger = await (await addPerson(service, other)).signIn()
  const { sid } = decodeJwt<{ sid: string }>(token)
  const who = { tenantId: tenant.tenantId, userId: person.userId, sessionId: sid }
  const seconds = Math.floor(service.clock.now() / 1000)
  assert.equal(await withToken(operations.getAccount, await signedByUs(service, who)), '200')
  const wrong = {
    'not a token': 'x',
    truncated: token.slice(0, -1),
    'another signature': `${token.slice(0, -86)}${stranger.accessToken.slice(-86)}`,
    expired: await signedByUs(service, who, { exp: seconds }),
    'of an unknown session': await signedByUs(service, { ...who, sessionId: '01KF0RDQG0M09RP0YK7HR3P67C' }),
    'of another user': await signedByUs(service, { ...who, userId: stranger.user.id }),
    'of another tenant': stranger.accessToken,
    'of another tenant, for this one': await signedByUs(service, { ...who, sessionId: 'x', userId: stranger.user.id }),
    'a refresh token': stranger.refreshToken,
    'the tenant key': tenant.key,
    'the operator key': service.adminKey,
    twice: `${token}, Bearer ${token}`,
  }
  for (const [, operation] of ofUsers) {
    for (const [name, given] of Object.entries(wrong)) {
      assert.equal(await withToken(operation, given), 'INVALID_USER_TOKEN', `${name}: ${operation.path}`)
    }
  }
  await changesNothing(service, async () => {
    for (const given of Object.values(wrong)) await withToken(operations.deleteAccount, given)
  })
})

test('rejects the token of a signed-out session immediately (threat E09)', async () => {
  for (const end of ['sign out', 'endUserSessions', 'endSession'] as const) {
    const { accessToken } = await person.signIn()
    await withToken(operations.getAccount, accessToken)
    const client = tenant.client.withSession(accessToken)
    const { sid } = decodeJwt<{ sid: string }>(accessToken)
    if (end === 'sign out') await client.signOut({ scope: 'this' })
    else if (end === 'endSession') await client.endSession({ sessionId: sid })
    else await service.admin.endUserSessions({ ...tenant, userId: person.userId })
    await allRefuse('INVALID_USER_TOKEN', accessToken)
  }
})

test('answers TOKEN_USER_NOT_FOUND for a deleted user until the token expires (threat E09)', async () => {
  for (const byUser of [true, false]) {
    const leaving = await addPerson(service, tenant)
    const { accessToken, refreshToken } = await leaving.signIn()
    if (byUser) await tenant.client.deleteAccount({ accessToken })
    else await service.admin.deleteUser({ ...tenant, userId: leaving.userId })
    await allRefuse('TOKEN_USER_NOT_FOUND', accessToken)
    await refused(tenant.client.refreshSession({ refreshToken }), 'TOKEN_USER_NOT_FOUND')
    service.clock.advance(900_000)
    await allRefuse('INVALID_USER_TOKEN', accessToken)
  }
})

test('restricts a suspended user from the next request until the suspension ends (threat F13)', async () => {
  const one = await addPerson(service, tenant)
  const path = { ...tenant, userId: one.userId }
  const { accessToken, refreshToken } = await one.signIn()
  const { clock, admin } = service
  const until = new Date(clock.now() + 60_000).toISOString()
  for (const suspension of [{ reason: 'chargeback' }, { until }]) {
    await admin.updateUser(path, { suspension })
    await allRefuse('RESTRICTED_CAPABILITY', accessToken)
    await refused(one.signIn(), 'RESTRICTED_CAPABILITY')
    await refused(tenant.client.refreshSession({ refreshToken }), 'RESTRICTED_CAPABILITY')
    if (!('until' in suspension)) await admin.updateUser(path, { suspension: null })
  }
  clock.advance(59_999)
  await allRefuse('RESTRICTED_CAPABILITY', accessToken)
  clock.advance(1)
  await tenant.client.refreshSession({ refreshToken })
  await one.signIn()
  const refusals = /TOKEN|RESTRICTED/
  for (const [name, operation] of ofUsers) assert.doesNotMatch(await withToken(operation, accessToken), refusals, name)
  assert.equal(await withToken(operations.getAccount, accessToken), 'TOKEN_USER_NOT_FOUND', 'the last one deletes')
})

test('applies a restriction to its capability only and lifts it at its end time', async () => {
  const one = await addPerson(service, tenant)
  const { accessToken } = await one.signIn()
  const { clock, admin } = service
  const until = new Date(clock.now() + 60_000).toISOString()
  const restrictions = (['profile_update', 'sign_in'] as const).map((capability) => ({ capability, until }))
  await admin.updateUser({ ...tenant, userId: one.userId }, { restrictions })
  const restricted = async () => {
    const outcomes = []
    for (const [name, operation] of requiringOne.slice(0, -1)) {
      if ((await withToken(operation, accessToken)) === 'RESTRICTED_CAPABILITY') outcomes.push(name)
    }
    return outcomes
  }
  assert.deepEqual(await restricted(), ['checkProfile', 'updateProfile', 'stepUp'])
  clock.advance(59_999)
  assert.deepEqual(await restricted(), ['checkProfile', 'updateProfile', 'stepUp'])
  await refused(one.signIn(), 'RESTRICTED_CAPABILITY')
  clock.advance(1)
  assert.deepEqual(await restricted(), [])
  await one.signIn()
})
