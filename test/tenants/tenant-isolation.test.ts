import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { ulid } from '../../server/core/ids.ts'
import { idFieldsOf, idPositions } from '../support/attacks/id-positions.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { changesNothing, storedRows } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { issueInEveryState, type OtpInState } from '../support/otps-in-every-state.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let a: TestTenant
let b: TestTenant
let person: Person
let token: string
let otps: OtpInState[]
let google: IdentityProvider
/** A refresh token and an ID token for the client of A. */
let refreshToken: string
let idToken: string
/** An ID token that no tenant accepts. */
let unknownIdToken: string
let userOfB: { userId: string; token: string }

before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({ identityProviders: google.settings })
  const methods = ['password', 'otp', 'guest', 'google']
  const configured = (clientIds: string[]) => ({ configuration: { auth: { methods, google: { clientIds } } } })
  a = await service.addTenant(configured([google.clientId]))
  b = await service.addTenant(configured(['client-of-b']))
  for (const { tenantId } of [a, b]) {
    await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
  }
  await service.admin.publishProfileSchema(a, {
    version: 'only-of-a',
    components: [{ name: 'nick', type: 'text' }],
    forms: { onlyOfA: { fields: ['nick'] } },
  })
  person = await addPerson(service, a)
  ;({ accessToken: token, refreshToken } = await person.signIn())
  const sub = randomUUID()
  idToken = await google.sign({ sub })
  unknownIdToken = await google.sign({ aud: 'unknown-client' })
  await a.client.withSession(token).addIdentity({ method: 'google', idToken: await google.sign({ sub }) })
  const other = await addPerson(service, b)
  userOfB = { userId: other.userId, token: (await other.signIn()).accessToken }
  await a.client.withSession(token).updateProfile({ nick: 'of a' })
  otps = await issueInEveryState(service, a.tenantId, person)
})
after(() => Promise.all([service.close(), google.close()]))

/** Request id and clock are the same for every request, so answers may not differ at all. */
async function ask({ line, body }: { line: string; body?: unknown }, as: { token?: string } = {}) {
  const headers = { 'x-request-id': 'the-same', authorization: `Bearer ${as.token ?? service.adminKey}` }
  const answer = await request(service, line, { key: b.key, body, headers })
  return { status: answer.status, headers: comparable(answer), text: answer.text }
}

const comparable = ({ headers }: RawAnswer) => Object.fromEntries([...headers].filter(([name]) => name !== 'date'))

/** Tables of tenant A, with the columns by which to pick one row of each kind. */
const onesOf: Record<string, string> = {
  users: 'email',
  profiles: 'id',
  identities: 'id',
  sessions: 'id',
  tenant_keys: 'id',
  outbox: 'kind, scope, state',
}

/** Ids of tenant A of every kind; one-time passwords with the scope and the code that would make them work. */
function idsOfA(otps: readonly OtpInState[]): { name: string; id: string; otp?: OtpInState }[] {
  const ids = (table: string, kind: string) =>
    storedRows(
      service,
      `SELECT MIN(id) AS id FROM ${table} WHERE tenant_id = ? GROUP BY ${kind} ORDER BY id`,
      a.tenantId,
    )
  return [
    ...otps.map((otp) => ({ name: `${otp.state} ${otp.scope} OTP`, id: otp.id, otp })),
    ...Object.entries(onesOf).flatMap(([table, kind]) =>
      ids(table, kind).map(({ id }) => ({ name: `row of ${table}`, id: id as string })),
    ),
    { name: 'schema version', id: 'only-of-a' },
    { name: 'form', id: 'onlyOfA' },
    { name: 'e-mail address', id: person.email },
    { name: 'phone number', id: person.phone },
    { name: 'tenant', id: a.tenantId },
    { name: 'refresh token', id: refreshToken },
    { name: 'ID token', id: idToken },
  ]
}

/** A value of the same form that does not exist. */
function nonexistent(id: string): string {
  if (id.includes('@')) return 'unknown@example.com'
  if (id.startsWith('+')) return '+33612399999'
  if (id === idToken) return unknownIdToken
  if (id === refreshToken) return unknownRefreshToken()
  if (id === 'onlyOfA') return 'notKnown'
  return id === 'only-of-a' ? 'not-known' : ulid(service.clock.now())
}

/** Signed like B's tokens, for a session that does not exist. */
function unknownRefreshToken(): string {
  const { refreshTokens } = service.service.services
  return refreshTokens.first({ tenantId: b.tenantId, sessionId: ulid(service.clock.now()) })
}

/** All ids at each position, or a sample that begins with another id at each. */
function idsFor({ scoped }: (typeof idPositions)[number], index: number) {
  if (scoped && onPostgres) return idsOfA(otps)
  const ids = idsOfA(sampleOf(otps))
  return sampleOf([...ids.slice(index % 3), ...ids.slice(0, index % 3)])
}

test('covers every id position of every operation', () => {
  const places = Object.entries(operations).flatMap(([name, operation]) =>
    idFieldsOf(name, operation).map((field) => `${name} ${field}`),
  )
  const covered = idPositions.map(({ operation, field }) => `${operation} ${field}`)
  assert.deepEqual(covered.sort(), places.sort(), 'list each position in test/support/attacks/id-positions.ts')
})

test('answers an id of another tenant byte for byte like an unknown id and changes nothing', async (t) => {
  assert.equal(otps.length, OtpScope.options.length * 6)
  let pairs = 0
  await changesNothing(service, async () => {
    for (const [index, position] of idPositions.entries()) {
      for (const { name, id, otp } of idsFor(position, index)) {
        const scopes = position.scoped ? (otp ? [otp.scope] : OtpScope.options) : [undefined]
        for (const scope of scopes) {
          const beside = { scope, code: otp?.code ?? '000000', userId: userOfB.userId }
          const [theirs, none] = [id, nonexistent(id)].map((given) => position.request(b.tenantId, given, beside))
          const as = position.asUser ? userOfB : {}
          const where = `${name} as ${position.field} of ${position.operation}`
          const [answer, expected] = [await ask(theirs!, as), await ask(none!, as)]
          assert.deepEqual(answer, expected, where)
          assert.ok(answer.status < 500, where)
          pairs++
        }
      }
    }
  })
  t.diagnostic(`${pairs} pairs of answers compared`)
})

test('finds the same ids with the key of their tenant', async () => {
  const pending = otps.find(({ state, scope }) => state === 'pending' && scope === 'reset_password')!
  const { id, scope } = pending
  assert.equal((await a.client.getOtpStatus({ id, scope })).state, 'pending')
  assert.equal((await service.admin.getUser({ tenantId: a.tenantId, userId: person.userId })).email, person.email)
  const { messages } = await service.admin.listTestingChannelMessages({ tenantId: a.tenantId, otpId: id })
  assert.equal(messages[0]?.code, pending.code)

  const { tenantId } = a
  const { accessToken } = await a.client.refreshSession({ refreshToken })
  const { user } = await a.client.signIn({ method: 'google', idToken })
  assert.equal(user.id, person.userId)
  const { sessions } = await service.admin.listUserSessions({ tenantId, userId: user.id })
  const client = a.client.withSession(accessToken)
  for (const { id, current } of (await client.listSessions()).sessions) {
    assert.ok(sessions.some((session) => session.id === id))
    if (!current) await client.endSession({ sessionId: id })
  }
  assert.equal((await client.getFormState({ form: 'onlyOfA' })).complete, true)
  const { identities } = await client.getAccount()
  await client.removeIdentity({ identityId: identities.find(({ method }) => method === 'google')!.id })
  const verified = otps.find(({ state, scope }) => state === 'verified' && scope === 'otp_signin')!
  assert.equal((await a.client.signIn({ method: 'otp', token: verified.id })).user.id, person.userId)
})

test('lists only rows of its tenant from a cursor of another tenant', async () => {
  const own = new Set([userOfB.userId, (await addPerson(service, b)).userId])
  await addPerson(service, a)
  const { nextCursor } = await service.admin.listUsers({ tenantId: a.tenantId }, { limit: '1' })
  assert.ok(nextCursor)
  const page = await service.admin.listUsers({ tenantId: b.tenantId }, { cursor: nextCursor })
  assert.ok(page.items.every(({ id }) => own.has(id)))
})

test('rejects a user token of another tenant exactly like a token of an unknown session', async () => {
  const subject = { tenantId: a.tenantId, userId: person.userId, sessionId: ulid(service.clock.now()) }
  const unknownSessionToken = await service.service.services.accessTokens.sign(
    { ...subject, amr: ['pwd'], authenticatedAt: service.clock.now(), guest: false },
    service.clock.now(),
  )
  const ofUsers = Object.values<Operation>(operations).filter(({ auth }) => auth.includes('user'))
  assert.ok(ofUsers.length > 10)
  await changesNothing(service, async () => {
    for (const { method, path, body } of ofUsers) {
      const probe = { line: `${method} ${path.replace(/:\w+/g, 'x')}`, ...(body !== undefined && { body: {} }) }
      const theirs = await ask(probe, { token })
      assert.equal(JSON.parse(theirs.text).error.code, 'INVALID_USER_TOKEN', path)
      assert.deepEqual(theirs, await ask(probe, { token: unknownSessionToken }))
    }
  })
})

test('ignores a tenant named in the body, a header or the query', async () => {
  const email = `only-of-a@example.com`
  await service.admin.createUser(a, { email, password: 'correct horse' })
  const headers = { 'x-tenant-id': a.tenantId, 'x-tenant': a.tenantId }
  const named = { tenantId: a.tenantId, tenant_id: a.tenantId, tenant: a.tenantId }
  const body = { step: 'challenge', email, ...named }
  await changesNothing(service, async () => {
    const line = `POST /auth/reset-password?tenant=${a.tenantId}&tenantId=${a.tenantId}`
    const answer = await request(service, line, { key: b.key, headers, body })
    assert.equal(answer.body.error.code, 'RESET_PASSWORD_USER_NOT_FOUND')
    const line2 = `GET /tenant-configuration?tenant=${a.tenantId}`
    const configuration = await request(service, line2, { key: b.key, headers })
    assert.deepEqual(configuration.body, await b.client.getTenantConfiguration())
    assert.notEqual(configuration.body.profileSchema?.version, 'only-of-a')
  })
})

test('rejects the keys of a suspended or deleted tenant immediately', async () => {
  const tenant = await service.addTenant()
  const member = await addPerson(service, tenant)
  const client = await member.client()
  await service.admin.updateTenant(tenant, { suspended: true })
  await refused(client.getTenantConfiguration(), 'TENANT_SUSPENDED')
  await refused(client.getProfile(), 'TENANT_SUSPENDED')
  await service.admin.updateTenant(tenant, { suspended: false })
  await client.getTenantConfiguration()
  await service.admin.deleteTenant(tenant)
  await refused(client.getTenantConfiguration(), 'INVALID_TENANT_KEY')
  await refused(member.signIn(), 'INVALID_TENANT_KEY')
  await refused(service.admin.getUser({ ...tenant, userId: member.userId }), 'TENANT_NOT_FOUND')
  await b.client.getTenantConfiguration()
})
