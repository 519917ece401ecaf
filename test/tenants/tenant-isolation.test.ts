import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { OtpScope } from '../../contract/otp.ts'
import { ulid } from '../../server/core/ids.ts'
import { idFieldsOf, idPositions } from '../support/id-positions.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { issueInEveryState, type OtpInState } from '../support/otps-in-every-state.ts'
import { addPerson, type Person } from '../support/person.ts'
import { type RawAnswer, request } from '../support/raw-request.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { changesNothing, storedRows } from '../support/stored-rows.ts'

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
/** The same for nobody, and a signed-in user of B. */
let nobodysIdToken: string
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
  await service.admin.publishProfileSchema(a, { version: 'only-of-a', components: [{ name: 'nick', type: 'text' }] })
  person = await addPerson(service, a)
  ;({ accessToken: token, refreshToken } = await person.signIn())
  const sub = randomUUID()
  idToken = await google.sign({ sub })
  nobodysIdToken = await google.sign({ aud: 'client-of-nobody' })
  await a.client.withSession(token).addIdentity({ method: 'google', idToken: await google.sign({ sub }) })
  const other = await addPerson(service, b)
  userOfB = { userId: other.userId, token: (await other.signIn()).accessToken }
  await a.client.withSession(token).updateProfile({ nick: 'of a' })
  otps = await issueInEveryState(service, a.tenantId, person)
})
after(() => Promise.all([service.close(), google.close()]))

/** Same request id and same clock: what is left to differ must not. */
async function ask({ line, body }: { line: string; body?: unknown }, as: { token?: string } = {}) {
  const headers = { 'x-request-id': 'the-same', authorization: `Bearer ${as.token ?? service.adminKey}` }
  const answer = await request(service, line, { key: b.key, body, headers })
  return { status: answer.status, headers: comparable(answer), text: answer.text }
}

const comparable = ({ headers }: RawAnswer) => Object.fromEntries([...headers].filter(([name]) => name !== 'date'))

/** One row of each kind. */
const onesOf: Record<string, string> = {
  users: 'email',
  profiles: 'id',
  identities: 'id',
  sessions: 'id',
  tenant_keys: 'id',
  outbox: 'kind, scope, state',
}

/** Every id of tenant A with the scope and the code that would make it work. */
function idsOfA(): { name: string; id: string; otp?: OtpInState }[] {
  const ids = (table: string, kind: string) =>
    storedRows(service, `SELECT MIN(id) AS id FROM ${table} WHERE tenant_id = ? GROUP BY ${kind}`, a.tenantId)
  return [
    ...otps.map((otp) => ({ name: `${otp.state} ${otp.scope} OTP`, id: otp.id, otp })),
    ...Object.entries(onesOf).flatMap(([table, kind]) =>
      ids(table, kind).map(({ id }) => ({ name: `row of ${table}`, id: id as string })),
    ),
    { name: 'schema version', id: 'only-of-a' },
    { name: 'e-mail address', id: person.email },
    { name: 'phone number', id: person.phone },
    { name: 'tenant', id: a.tenantId },
    { name: 'refresh token', id: refreshToken },
    { name: 'ID token', id: idToken },
  ]
}

/** As good as A's, but of nobody. */
function nobodys(id: string): string {
  if (id.includes('@')) return 'nobody@example.com'
  if (id.startsWith('+')) return '+33612399999'
  if (id === idToken) return nobodysIdToken
  if (id === refreshToken) return refreshTokenOfNobody()
  return id === 'only-of-a' ? 'of-nobody' : ulid(service.clock.now())
}

/** Made as B's are made, of a session that never was. */
function refreshTokenOfNobody(): string {
  const { refreshTokens } = service.service.services
  return refreshTokens.first({ tenantId: b.tenantId, sessionId: ulid(service.clock.now()) })
}

test('the matrix has every place of every operation where an id goes', () => {
  const places = Object.entries(operations).flatMap(([name, operation]) =>
    idFieldsOf(name, operation).map((field) => `${name} ${field}`),
  )
  assert.deepEqual(idPositions.map(({ operation, field }) => `${operation} ${field}`).sort(), places.sort())
})

test('whatever of another tenant is named, the answer is byte for byte that of what never existed, and nothing changes', async (t) => {
  assert.equal(otps.length, OtpScope.options.length * 6)
  let pairs = 0
  await changesNothing(service, async () => {
    for (const { name, id, otp } of idsOfA()) {
      for (const position of idPositions) {
        const scopes = position.scoped ? (otp ? [otp.scope] : OtpScope.options) : [undefined]
        for (const scope of scopes) {
          const beside = { scope, code: otp?.code ?? '000000', userId: userOfB.userId }
          const [theirs, none] = [id, nobodys(id)].map((given) => position.request(b.tenantId, given, beside))
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

test('the same requests with the key of their own tenant do find them', async () => {
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
  const { identities } = await client.getAccount()
  await client.removeIdentity({ identityId: identities.find(({ method }) => method === 'google')!.id })
  const verified = otps.find(({ state, scope }) => state === 'verified' && scope === 'otp_signin')!
  assert.equal((await a.client.signIn({ method: 'otp', token: verified.id })).user.id, person.userId)
})

test('a page that begins at a cursor of another tenant shows rows of this one alone', async () => {
  const own = new Set([userOfB.userId, (await addPerson(service, b)).userId])
  await addPerson(service, a)
  const { nextCursor } = await service.admin.listUsers({ tenantId: a.tenantId }, { limit: '1' })
  assert.ok(nextCursor)
  const page = await service.admin.listUsers({ tenantId: b.tenantId }, { cursor: nextCursor })
  assert.ok(page.items.every(({ id }) => own.has(id)))
})

test("a user's token works with no other tenant's key: INVALID_USER_TOKEN, as for a token of nobody", async () => {
  const subject = { tenantId: a.tenantId, userId: person.userId, sessionId: ulid(service.clock.now()) }
  const nobodysToken = await service.service.services.accessTokens.sign(
    { ...subject, amr: ['pwd'], authenticatedAt: service.clock.now(), guest: false },
    service.clock.now(),
  )
  const ofUsers = Object.values<Operation>(operations).filter(({ auth }) => auth.includes('user'))
  assert.ok(ofUsers.length > 10)
  await changesNothing(service, async () => {
    for (const { method, path, body } of ofUsers) {
      const asked = { line: `${method} ${path.replace(/:\w+/g, 'x')}`, ...(body !== undefined && { body: {} }) }
      const theirs = await ask(asked, { token })
      assert.equal(JSON.parse(theirs.text).error.code, 'INVALID_USER_TOKEN', path)
      assert.deepEqual(theirs, await ask(asked, { token: nobodysToken }))
    }
  })
})

test('a tenant named in body, header or query is ignored: the key alone says whose request it is', async () => {
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

test('the keys of a suspended tenant and of a deleted one are refused at once, and those of others are not', async () => {
  const tenant = await service.addTenant()
  const somebody = await addPerson(service, tenant)
  const client = await somebody.client()
  await service.admin.updateTenant(tenant, { suspended: true })
  await refused(client.getTenantConfiguration(), 'TENANT_SUSPENDED')
  await refused(client.getProfile(), 'TENANT_SUSPENDED')
  await service.admin.updateTenant(tenant, { suspended: false })
  await client.getTenantConfiguration()
  await service.admin.deleteTenant(tenant)
  await refused(client.getTenantConfiguration(), 'INVALID_TENANT_KEY')
  await refused(somebody.signIn(), 'INVALID_TENANT_KEY')
  await refused(service.admin.getUser({ ...tenant, userId: somebody.userId }), 'TENANT_NOT_FOUND')
  await b.client.getTenantConfiguration()
})
