import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

type Components = ProfileSchemaInput['components']

const statements: string[] = []
let service: TestService
before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
})
after(() => service.close())

async function tenantWith(components: Components): Promise<TestTenant> {
  const tenant = await service.addTenant({ configuration: { auth: { methods: ['password', 'guest'] } } })
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { version: 'a', components })
  return tenant
}

const byOperator = (name: string, type: 'text' | 'integer' | 'boolean' | 'date' = 'text') =>
  ({ name, type, writable: false, claim: true }) as const
const byUser = (name: string) => ({ name, type: 'text', claim: true, claimFromUser: true }) as const

/** The claims of a token from the profile. */
const profileClaims = (accessToken: string): object =>
  Object.fromEntries(Object.entries(decodeJwt(accessToken)).filter(([name]) => name.startsWith('profile')))

const set = ({ tenantId }: TestTenant, userId: string, values: Record<string, unknown>) =>
  service.admin.updateUserProfile({ tenantId, userId }, values)

test('every operation that issues an access token copies the values of claims', async () => {
  const tenant = await tenantWith([byUser('nickname'), byOperator('plan'), { name: 'city', type: 'text' }])
  const profile = { nickname: 'Ada', city: 'London' }
  const email = 'ada@example.com'
  const password = 'correct horse'
  const signedUp = await tenant.client.signUp({ method: 'password', email, password, profile })
  assert.deepEqual(profileClaims(signedUp.accessToken), { 'profile.nickname': 'Ada' })
  await set(tenant, signedUp.user.id, { plan: 'pro' })

  const expected = { 'profile.nickname': 'Ada', 'profile.plan': 'pro' }
  const signedIn = await tenant.client.signIn({ method: 'password', email, password })
  assert.deepEqual(profileClaims(signedIn.accessToken), expected)
  const refreshed = await tenant.client.refreshSession({ refreshToken: signedUp.refreshToken })
  assert.deepEqual(profileClaims(refreshed.accessToken), expected)
  const { accessToken } = refreshed
  const steppedUp = await tenant.client.stepUp({ method: 'password', password }, { accessToken })
  assert.deepEqual(profileClaims(steppedUp.accessToken), expected)

  const guest = await tenant.client.signIn({ method: 'guest' })
  assert.deepEqual(profileClaims(guest.accessToken), {})
  await tenant.client.updateProfile({ nickname: 'Guest' }, { accessToken: guest.accessToken })
  const identity = { method: 'password', email: 'guest@example.com', password } as const
  const { session } = await tenant.client.addIdentity(identity, { accessToken: guest.accessToken })
  assert.deepEqual(profileClaims(session!.accessToken), { 'profile.nickname': 'Guest' })
  assert.equal(decodeJwt(session!.accessToken).sub, guest.user.id)
})

test('a refresh shows what changed, in the version that is current now', async () => {
  const tenant = await tenantWith([byOperator('plan'), byOperator('seats', 'integer'), byOperator('beta', 'boolean')])
  const person = await addPerson(service, tenant)
  await set(tenant, person.userId, { plan: 'free', seats: 3, beta: false })
  const { accessToken, refreshToken } = await person.signIn()
  assert.deepEqual(profileClaims(accessToken), { 'profile.plan': 'free', 'profile.seats': 3, 'profile.beta': false })
  await set(tenant, person.userId, { plan: 'pro', seats: null })
  await service.admin.publishProfileSchema(
    { tenantId: tenant.tenantId },
    { version: 'b', components: [byOperator('tier')], migrations: [{ rename: { from: 'plan', to: 'tier' } }] },
  )
  const refreshed = await tenant.client.refreshSession({ refreshToken })
  assert.deepEqual(profileClaims(refreshed.accessToken), { 'profile.tier': 'pro' })
})

test('refuses values that take more than 256 bytes in JSON, and leaves out those stored before', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const plain = names.map((name) => ({ name, type: 'text' as const }))
  const tenant = await tenantWith(plain)
  const { tenantId } = tenant
  const person = await addPerson(service, tenant)
  const fits = { a: 'x'.repeat(256), b: `x${'é'.repeat(127)}`, c: '"'.repeat(128) }
  const tooLong = { d: `xx${'é'.repeat(127)}x`, e: '\u0001'.repeat(43) }
  await set(tenant, person.userId, { ...fits, ...tooLong })
  await service.admin.publishProfileSchema(
    { tenantId },
    { version: 'b', components: plain.map((component) => ({ ...component, ...byUser(component.name) })) },
  )
  const claims = Object.fromEntries(Object.entries(fits).map(([name, value]) => [`profile.${name}`, value]))
  const { accessToken } = await person.signIn()
  assert.deepEqual(profileClaims(accessToken), claims)
  for (const [name, value] of Object.entries(tooLong)) {
    await assert.rejects(tenant.client.updateProfile({ [name]: value }, { accessToken }), {
      validation: { [name]: 'Validation rule not met' },
      details: { [name]: { rule: 'maxLength', maxLength: 256 } },
    })
  }
})

test('leaves out a claim that is hidden', async () => {
  const kind = { name: 'kind', type: 'text' as const }
  const plan = { ...byOperator('plan'), visibleWhen: { field: 'kind', is: 'firm' } }
  const tenant = await tenantWith([kind, byOperator('plan')])
  const person = await addPerson(service, tenant)
  await set(tenant, person.userId, { kind: 'person', plan: 'pro' })
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { version: 'b', components: [kind, plan] })
  const { accessToken } = await person.signIn()
  assert.deepEqual(profileClaims(accessToken), {})
  await tenant.client.updateProfile({ kind: 'firm' }, { accessToken })
  await set(tenant, person.userId, { plan: 'pro' })
  assert.deepEqual(profileClaims((await person.signIn()).accessToken), { 'profile.plan': 'pro' })
})

test('tokens with the longest claims are accepted', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => name.repeat(64))
  const tenant = await tenantWith(names.map(byUser))
  const person = await addPerson(service, tenant)
  for (const value of ['x'.repeat(256), '"'.repeat(128), 'é'.repeat(128), '😀'.repeat(64), '\u0001'.repeat(42)]) {
    await set(tenant, person.userId, Object.fromEntries(names.map((name) => [name, value])))
    const { accessToken } = await person.signIn()
    assert.deepEqual(Object.values(profileClaims(accessToken)), Array(5).fill(value))
    assert.ok(accessToken.length < 4096 - 1000, `${accessToken.length} characters leave room for a long issuer`)
    assert.equal((await tenant.client.getProfile({ accessToken }))[names[0]!], value)
  }
})

test('no claim replaces one of the service', async () => {
  const components = ['sub', 'aud', 'sid', 'guest', 'exp'].map(byUser)
  const tenant = await tenantWith(components)
  const person = await addPerson(service, tenant)
  await set(tenant, person.userId, { sub: 'x', aud: 'x', sid: 'x', guest: 'x', exp: 'x' })
  const { accessToken } = await person.signIn()
  const { sub, aud, guest, exp, iat, sid } = decodeJwt(accessToken)
  assert.deepEqual([sub, aud, guest, exp! - iat!], [person.userId, tenant.tenantId, false, 900])
  assert.notEqual(sid, 'x')
  assert.equal(decodeJwt(accessToken)['profile.sub'], 'x')
})

test('reads the profile once more only if the schema has claims', async () => {
  const profileReads = async (components: Components) => {
    const tenant = await tenantWith(components)
    const person = await addPerson(service, tenant)
    const session = await person.signIn()
    const { accessToken } = session
    const counts: number[] = []
    const calls = [
      () => person.signIn(),
      () => tenant.client.refreshSession(session),
      () => tenant.client.stepUp({ method: 'password', password: person.password }, { accessToken }),
    ]
    const total: number[] = []
    for (const call of calls) {
      statements.length = 0
      await call()
      counts.push(statements.filter((name) => /(^|\.)profile\./.test(name)).length)
      total.push(statements.filter((name) => /(^|\.)(profile|session|user|tenant)\./.test(name)).length)
    }
    return { counts, total }
  }
  const without = await profileReads([{ name: 'plan', type: 'text' }])
  const withClaims = await profileReads([byOperator('plan')])
  assert.deepEqual(without.counts, [0, 0, 0])
  assert.deepEqual(withClaims.counts, [1, 1, 1])
  assert.deepEqual(
    withClaims.total.map((count, index) => count - without.total[index]!),
    [1, 1, 1],
  )
})
