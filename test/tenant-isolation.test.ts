import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../contract/operations.ts'
import { OtpScope } from '../contract/otp.ts'
import { ulid } from '../server/ids.ts'
import { idFieldsOf, idPositions } from './id-positions.ts'
import { issueInEveryState, type OtpInState } from './otps-in-every-state.ts'
import { addPerson, type Person } from './person.ts'
import { type RawAnswer, request } from './raw-request.ts'
import { refused } from './refused.ts'
import { startTestService, type TestService, type TestTenant } from './service.ts'
import { changesNothing, storedRows } from './stored-rows.ts'

let service: TestService
let a: TestTenant
let b: TestTenant
let person: Person
let token: string
let otps: OtpInState[]

before(async () => {
  service = await startTestService()
  a = await service.addTenant()
  b = await service.addTenant()
  for (const { tenantId } of [a, b]) {
    await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
  }
  await service.admin.publishProfileSchema(a, { version: 'only-of-a', components: [{ name: 'nick', type: 'text' }] })
  person = await addPerson(service, a)
  token = (await person.signIn()).accessToken
  await a.client.withSession(token).updateProfile({ nick: 'of a' })
  otps = await issueInEveryState(service, a.tenantId, person)
})
after(() => service.close())

/** Same request id and same clock: what is left to differ must not. */
async function ask(line: string, key: string | undefined, body: unknown, more: { token?: string } = {}) {
  const headers = { 'x-request-id': 'the-same', authorization: `Bearer ${more.token ?? service.adminKey}` }
  const answer = await request(service, line, { ...(key !== undefined && { key }), body, headers })
  return { status: answer.status, headers: comparable(answer), text: answer.text }
}

const comparable = ({ headers }: RawAnswer) => Object.fromEntries([...headers].filter(([name]) => name !== 'date'))

/** Every id of tenant A with the scope and the code that would make it work. */
function idsOfA(): { name: string; id: string; otp?: OtpInState }[] {
  const ids = (table: string) => storedRows(service, `SELECT id FROM ${table} WHERE tenant_id = ?`, a.tenantId)
  return [
    ...otps.map((otp) => ({ name: `${otp.state} ${otp.scope} OTP`, id: otp.id, otp })),
    ...['users', 'profiles', 'sessions', 'tenant_keys', 'outbox'].flatMap((table) =>
      ids(table).map(({ id }) => ({ name: `row of ${table}`, id: id as string })),
    ),
    { name: 'schema version', id: 'only-of-a' },
    { name: 'e-mail address', id: person.email },
    { name: 'phone number', id: person.phone },
    { name: 'tenant', id: a.tenantId },
  ]
}

/** As good as A's, but of nobody. */
function nobodys(id: string): string {
  if (id.includes('@')) return 'nobody@example.com'
  if (id.startsWith('+')) return '+33612399999'
  return id === 'only-of-a' ? 'of-nobody' : ulid(service.clock.now())
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
          const made = (given: string) => position.request(b.tenantId, given, { scope, code: otp?.code ?? '000000' })
          const [theirs, none] = [made(id), made(nobodys(id))]
          const where = `${name} as ${position.field} of ${position.operation}`
          assert.deepEqual(await ask(theirs.line, b.key, theirs.body), await ask(none.line, b.key, none.body), where)
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
})

test('a page that begins at a cursor of another tenant shows rows of this one alone', async () => {
  const own = await addPerson(service, b)
  await addPerson(service, a)
  const { nextCursor } = await service.admin.listUsers({ tenantId: a.tenantId }, { limit: '1' })
  assert.ok(nextCursor)
  const page = await service.admin.listUsers({ tenantId: b.tenantId }, { cursor: nextCursor })
  for (const { id } of page.items) assert.equal(id, own.userId)
})

test("a user's token works with no other tenant's key: INVALID_USER_TOKEN, as for a token of nobody", async () => {
  const subject = { tenantId: a.tenantId, userId: person.userId, sessionId: ulid(service.clock.now()) }
  const nobodysToken = await service.service.services.accessTokens.sign(
    { ...subject, amr: ['pwd'], guest: false },
    service.clock.now(),
  )
  await changesNothing(service, async () => {
    for (const [line, body] of [
      ['GET /account/profile', undefined],
      ['PATCH /account/profile', { nick: 'stolen' }],
      ['POST /otp', { scope: 'email_verification' }],
    ] as const) {
      const theirs = await ask(line, b.key, body, { token })
      assert.equal(JSON.parse(theirs.text).error.code, 'INVALID_USER_TOKEN')
      assert.deepEqual(theirs, await ask(line, b.key, body, { token: nobodysToken }))
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

test('the same address at two tenants is two people: a reset at one leaves the other as it was', async () => {
  const email = 'in-both@example.com'
  for (const tenant of [a, b]) await service.admin.createUser(tenant, { email, password: 'correct horse' })
  const rowsOfA = () =>
    ['users', 'otps', 'sessions', 'outbox'].map((table) =>
      storedRows(service, `SELECT * FROM ${table} WHERE tenant_id = ?`, a.tenantId),
    )
  const before = rowsOfA()
  const { id } = await b.client.resetPassword({ step: 'challenge', email })
  await b.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  await b.client.resetPassword({ step: 'confirm', token: id, password: 'only at tenant b' })
  assert.deepEqual(rowsOfA(), before)
  await a.client.signIn({ method: 'password', email, password: 'correct horse' })
  await refused(a.client.signIn({ method: 'password', email, password: 'only at tenant b' }), 'INVALID_CREDENTIALS')
  await b.client.signIn({ method: 'password', email, password: 'only at tenant b' })
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
