import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { changesNothing, storedRow, storedRows } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const schema: ProfileSchemaInput = {
  version: '2026-01',
  components: [
    { name: 'firstName', type: 'text' },
    { name: 'birthDate', type: 'date', rules: { minAge: 13 } },
    { name: 'tags', type: 'list', rules: { maxItems: 3 } },
    { name: 'newsletter', type: 'boolean' },
    { name: 'country', type: 'text', required: true },
    { name: 'nickname', type: 'text', writeOnce: true },
    { name: 'level', type: 'integer', writable: false },
  ],
}
const unset = {
  firstName: null,
  birthDate: null,
  tags: null,
  newsletter: null,
  country: null,
  nickname: null,
  level: null,
}
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, schema)
})
after(() => service.close())

const time = () => new Date(service.clock.now()).toISOString()
const storedValues = (userId: string) =>
  JSON.parse(String(storedRow(service, 'SELECT content FROM profiles WHERE user_id = ?', userId)['content']))

test('creates the profile with the first update, even an empty one, and returns every field of the schema', async () => {
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  const wire = { key: tenant.key, token: accessToken }
  const { status, body } = await request(service, 'PATCH /account/profile', { ...wire, body: {} })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['meta', 'data'])
  const { id } = body.data
  assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.deepEqual(body.data, { id, ...unset, createdAt: time(), updatedAt: time() })
  const read = await request(service, 'GET /account/profile', wire)
  assert.deepEqual(read.body.data, body.data)
})

test('reads a new user’s profile as null in every field, and creates none', async () => {
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  const wire = { key: tenant.key, token: accessToken }
  const expected = { id: null, ...unset, createdAt: null, updatedAt: null }
  await changesNothing(service, async () => {
    const { status, body } = await request(service, 'GET /account/profile', wire)
    assert.deepEqual([status, body.data], [200, expected])
    const { tenantId } = tenant
    assert.deepEqual(await service.admin.readUserProfile({ tenantId, userId: person.userId }), expected)
  })
})

test('changes only the given fields, clears a field with null and returns all fields', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const first = { firstName: 'Jane', birthDate: '1990-02-28', tags: ['a', 'b'], newsletter: false, country: 'fr' }
  const made = await client.updateProfile(first)
  const createdAt = time()
  assert.deepEqual(made, { id: made.id, ...unset, ...first, createdAt, updatedAt: createdAt })
  service.clock.advance(5_000)
  const changed = await client.updateProfile({ firstName: null, newsletter: true })
  assert.deepEqual(changed, { ...made, firstName: null, newsletter: true, updatedAt: time() })
  assert.deepEqual(await client.getProfile(), changed)
})

test('increases updatedAt with every update, even within a millisecond', async () => {
  const client = await (await addPerson(service, tenant)).client()
  const times = []
  for (let update = 0; update < 3; update++)
    times.push((await client.updateProfile({ firstName: `${update}` })).updatedAt)
  assert.deepEqual(times, [...new Set(times)].sort())
})

test('ignores unknown keys and fields that are not writable', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const { id, createdAt } = await client.updateProfile({ country: 'fr' })
  const mine = { id: 'mine', createdAt: 0, updatedAt: 'never', userId: 'x', tenantId: 'x', email: 'evil@example.com' }
  const update = { ...mine, isAdmin: true, emailVerified: true, toString: 1, FirstName: 'x', level: 'not a number' }
  const answer = await client.updateProfile({ ...update, firstName: 'Jane' })
  assert.deepEqual(answer, { ...answer, ...unset, id, createdAt, country: 'fr', firstName: 'Jane' })
  assert.deepEqual(storedValues(person.userId), { country: 'fr', firstName: 'Jane' })
  assert.equal((await person.signIn()).user.email, person.email)
})

test('rejects the whole update for one invalid value and reports every invalid field', async () => {
  const client = await (await addPerson(service, tenant)).client()
  await client.updateProfile({ firstName: 'Jane', country: 'fr' })
  const update = (values: Record<string, unknown>) => client.updateProfile({ nickname: 'jj', ...values })
  await changesNothing(service, async () => {
    await invalid(update({ firstName: '', birthDate: '2024-02-30', tags: 'a' }), {
      firstName: 'String must contain at least 1 character(s)',
      birthDate: 'Invalid date format',
      tags: 'Expected array, received string',
    })
    await invalid(update({ birthDate: '2020-01-01' }), { birthDate: 'Validation rule not met' })
    await invalid(update({ tags: ['a', 'b', 'c', 'd'] }), { tags: 'Validation rule not met' })
    await invalid(update({ newsletter: 'yes' }), { newsletter: 'Expected boolean, received string' })
    await invalid(update({ country: null }), { country: 'Validation rule not met' })
  })
})

test('creates no profile when the first update is rejected', async () => {
  const client = await (await addPerson(service, tenant)).client()
  await changesNothing(service, async () => {
    await invalid(client.updateProfile({ firstName: 1 }), { firstName: 'Expected string, received number' })
    assert.equal((await client.getProfile()).id, null)
  })
})

test('lets only the operator change write-once and non-writable fields', async () => {
  const person = await addPerson(service, tenant)
  const { tenantId } = tenant
  const { userId } = person
  const client = await person.client()
  await client.updateProfile({ nickname: 'jj' })
  await invalid(client.updateProfile({ nickname: 'kk' }), { nickname: 'Validation rule not met' })
  await client.updateProfile({ nickname: 'jj', firstName: 'Jane' })
  const operators = await service.admin.updateUserProfile({ tenantId, userId }, { nickname: 'kk', level: 7 })
  assert.deepEqual([operators['nickname'], operators['level'], operators['firstName']], ['kk', 7, 'Jane'])
  const { level } = await client.updateProfile({ level: 8 })
  assert.equal(level, 7)
  assert.deepEqual(await client.getProfile(), await service.admin.readUserProfile({ tenantId, userId }))
})

test('updates nothing without a valid user token', async () => {
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  const [head, body, signature] = accessToken.split('.')
  const withOtherStart = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  const other = await service.addTenant()
  const update = (accessToken: string | null, { client } = tenant) => client.updateProfile({}, { accessToken })
  await changesNothing(service, async () => {
    await refused(update(null), 'MISSING_USER_TOKEN')
    await refused(update('malformed'), 'INVALID_USER_TOKEN')
    await refused(update(`${accessToken}A`), 'INVALID_USER_TOKEN')
    await refused(update(`${head}.${body}.${withOtherStart(signature!)}`), 'INVALID_USER_TOKEN')
    await refused(update(accessToken, other), 'INVALID_USER_TOKEN')
  })
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  await changesNothing(service, () => refused(update(accessToken), 'TOKEN_USER_NOT_FOUND'))
})

test('rejects updates but not reads when the tenant or the user is restricted', async () => {
  const restricted = await service.addTenant()
  const { tenantId } = restricted
  const person = await addPerson(service, restricted)
  const client = await person.client()
  await client.updateProfile({})
  const restrictedCapabilities = ['profile_update' as const]
  const refusesUpdates = async () => {
    await changesNothing(service, () => refused(client.updateProfile({}), 'RESTRICTED_CAPABILITY'))
    await client.getProfile()
  }
  await service.admin.updateUser({ tenantId, userId: person.userId }, { restrictedCapabilities })
  await refusesUpdates()
  await (await (await addPerson(service, restricted)).client()).updateProfile({})
  await service.admin.updateUser({ tenantId, userId: person.userId }, { restrictedCapabilities: [] })
  await service.admin.updateTenant({ tenantId }, { restrictedCapabilities })
  await refusesUpdates()
})

test('answers UNEXPECTED_STATE for a tenant without configuration, after validating the values', async () => {
  const bare = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: bare.tenantId }, schema)
  const client = await (await addPerson(service, bare)).client()
  await service.admin.replaceConfiguration({ tenantId: bare.tenantId }, {})
  await changesNothing(service, async () => {
    await refused(client.updateProfile({ firstName: 'Jane' }), 'UNEXPECTED_STATE')
    await invalid(client.updateProfile({ firstName: 1 }), { firstName: 'Expected string, received number' })
    await refused(client.getProfile(), 'UNEXPECTED_STATE')
  })
})

test('keeps separate profiles for one person at two tenants', async () => {
  const other = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: other.tenantId }, schema)
  const person = await addPerson(service, tenant)
  const account = { email: person.email, password: person.password }
  await service.admin.createUser({ tenantId: other.tenantId }, account)
  const { accessToken } = await other.client.signIn({ method: 'password', ...account })
  const here = await (await person.client()).updateProfile({ firstName: 'Here' })
  const there = await other.client.withSession(accessToken).updateProfile({ firstName: 'There' })
  assert.notEqual(here.id, there.id)
  assert.deepEqual([here['firstName'], there['firstName']], ['Here', 'There'])
})

test('deletes the profile with its user', async () => {
  const person = await addPerson(service, tenant)
  await (await person.client()).updateProfile({ firstName: 'Jane' })
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  assert.deepEqual(storedRows(service, 'SELECT * FROM profiles WHERE user_id = ?', person.userId), [])
})
