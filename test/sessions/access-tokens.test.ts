import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { forgedTokens, type GenuineClaims, signedByUs } from '../support/attacks/forged-tokens.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
let person: Person
let token: string
let who: GenuineClaims

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  person = await addPerson(service, tenant)
  token = (await person.signIn()).accessToken
  who = { tenantId: tenant.tenantId, userId: person.userId, sessionId: decodeJwt(token)['sid'] as string }
})
after(() => service.close())

const update = (given: string, headers = {}) =>
  request(service, 'PATCH /account/profile', { key: tenant.key, token: given, body: {}, headers })
const outcomeOf = async (given: string) => {
  const { status, body } = await update(given)
  return body.error?.code ?? String(status)
}

test('accepts a genuine token and one signed in the same way', async () => {
  assert.equal(await outcomeOf(token), '200')
  assert.equal(await outcomeOf(await signedByUs(service, who)), '200')
})

test('refuses every forged, malformed, expired or misdirected token with 401 INVALID_USER_TOKEN', async (t) => {
  const forgeries = await forgedTokens(service, who, token)
  await changesNothing(service, async () => {
    for (const [name, forged] of Object.entries(forgeries)) {
      for (const time of [1, 2]) {
        const { status, body } = await update(forged)
        assert.deepEqual([status, body.error?.code], [401, 'INVALID_USER_TOKEN'], `${name}, time ${time}`)
      }
    }
  })
  t.diagnostic(`${Object.keys(forgeries).length} kinds of wrong tokens`)
})

test('answers INVALID_USER_TOKEN for a malformed or duplicate Authorization header, MISSING_USER_TOKEN without one', async () => {
  const withHeader = async (authorization: string) => (await update(token, { authorization })).body.error?.code
  for (const value of [
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token} x`,
    `Bearer ${token},x`,
    'null',
  ]) {
    assert.equal(await withHeader(value), 'INVALID_USER_TOKEN', value)
  }
  const missing = await request(service, 'PATCH /account/profile', { key: tenant.key, body: {} })
  assert.equal(missing.body.error.code, 'MISSING_USER_TOKEN')
})

test('ignores a token in the query or in a cookie', async () => {
  const places: { line: string; headers: Record<string, string> }[] = [
    { line: `PATCH /account/profile?access_token=${token}&authorization=Bearer%20${token}`, headers: {} },
    { line: 'PATCH /account/profile', headers: { cookie: `access_token=${token}; authorization=Bearer ${token}` } },
    { line: 'PATCH /account/profile', headers: { 'x-access-token': token, 'x-authorization': `Bearer ${token}` } },
  ]
  for (const { line, headers } of places) {
    const body = { access_token: token, accessToken: token }
    const answer = await request(service, line, { key: tenant.key, body, headers })
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'MISSING_USER_TOKEN'])
  }
})

test('refuses a cached token at its expiry to the second', async () => {
  const { accessToken, expiresIn } = await person.signIn()
  assert.equal(await outcomeOf(accessToken), '200')
  service.clock.advance(expiresIn * 1000 - 1)
  assert.equal(await outcomeOf(accessToken), '200')
  service.clock.advance(1)
  assert.equal(await outcomeOf(accessToken), 'INVALID_USER_TOKEN')
  assert.equal(await outcomeOf(accessToken), 'INVALID_USER_TOKEN')
  service.clock.advance(-1)
  assert.equal(await outcomeOf(accessToken), '200')
  service.clock.advance(1)
})

test('refuses a cached token at once when its session is revoked', async () => {
  const sessions = [await person.signIn(), await person.signIn(), await person.signIn()]
  for (const { accessToken } of sessions) assert.equal(await outcomeOf(accessToken), '200')
  const id = await person.verified('reset_password')
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: person.password })
  for (const { accessToken } of sessions) assert.equal(await outcomeOf(accessToken), 'INVALID_USER_TOKEN')
  assert.equal(await outcomeOf((await person.signIn()).accessToken), '200')
})

test('answers TOKEN_USER_NOT_FOUND for a cached token of a deleted user until it expires', async () => {
  const leaving = await addPerson(service, tenant)
  const { accessToken } = await leaving.signIn()
  assert.equal(await outcomeOf(accessToken), '200')
  await service.admin.deleteUser({ ...tenant, userId: leaving.userId })
  assert.equal(await outcomeOf(accessToken), 'TOKEN_USER_NOT_FOUND')
  service.clock.advance(900_000)
  assert.equal(await outcomeOf(accessToken), 'INVALID_USER_TOKEN')
})

test('refuses a token with the key of another tenant', async () => {
  const other = await service.addTenant()
  const { accessToken } = await person.signIn()
  assert.equal(await outcomeOf(accessToken), '200')
  await refused(other.client.withSession(accessToken).updateProfile({}), 'INVALID_USER_TOKEN')
  assert.equal(await outcomeOf(accessToken), '200')
})

test('refuses an invalid token where a token is optional', async () => {
  const issue = (accessToken: string) =>
    tenant.client.withSession(accessToken).issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await refused(issue('no token'), 'INVALID_USER_TOKEN')
  await refused(issue(token), 'INVALID_USER_TOKEN')
  await tenant.client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await refused(tenant.client.issueOtp({ scope: 'email_verification' }), 'MISSING_USER_TOKEN')
})
