import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type GrantedScope, roles } from '../../../contract/scopes.ts'
import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { invalid, refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { storeOperator } from '../../../test/support/stored-operator.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const components = [
  { name: 'city', type: 'text', searchable: true },
  { name: 'age', type: 'integer', searchable: true },
  { name: 'born', type: 'date', searchable: true },
  { name: 'score', type: 'number', searchable: true },
  { name: 'vip', type: 'boolean', searchable: true },
  {
    name: 'tags',
    type: 'multiselect',
    searchable: true,
    options: ['red', 'green', 'blue'].map((value) => ({ value, label: value })),
  },
  { name: 'note', type: 'text' },
] as const

async function newTenant() {
  const { tenantId } = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId }, { components: [...components] })
  let added = 0
  return {
    tenantId,
    async add(profile: Record<string, unknown>, address: { email?: string; phone?: string } = {}): Promise<string> {
      service.clock.advance(1)
      const email = address.email ?? `user${added++}@example.com`
      const { id } = await service.admin.createUser({ tenantId }, { ...address, email, profile })
      return id
    },
    find: async (query: Record<string, string>) =>
      (await service.admin.listUsers({ tenantId }, query)).items.map(({ id }) => id),
  }
}

test('finds users by equal values of any type, in any spelling, in the order of their ids', async () => {
  const { tenantId, add, find } = await newTenant()
  const ann = await add({ city: 'Paris', age: 30, born: '1994-05-01', score: -1.5, vip: true, tags: ['red', 'blue'] })
  const bob = await add({ city: ' PARIS', age: 9, born: '2015-01-31', score: 2, vip: false, tags: ['blue'] })
  const eve = await add({ city: 'Rome', note: 'Paris' })
  assert.deepEqual(await find({ 'profile.city': 'paris' }), [ann, bob])
  assert.deepEqual(await find({ 'profile.city': 'ROME ' }), [eve])
  assert.deepEqual(await find({ 'profile.city': 'par' }), [])
  assert.deepEqual(await find({ 'profile.age': '30' }), [ann])
  assert.deepEqual(await find({ 'profile.age': '3e1' }), [ann])
  assert.deepEqual(await find({ 'profile.born': '2015-01-31' }), [bob])
  assert.deepEqual(await find({ 'profile.score': '-1.50' }), [ann])
  assert.deepEqual(await find({ 'profile.vip': 'true' }), [ann])
  assert.deepEqual(await find({ 'profile.tags': 'blue' }), [ann, bob])
  assert.deepEqual(await find({ 'profile.tags': 'green' }), [])
  const { items } = await service.admin.listUsers({ tenantId }, { 'profile.city': 'paris', limit: 1 })
  assert.deepEqual(items, [await service.admin.getUser({ tenantId, userId: ann })])
})

test('finds beginnings of texts and ranges of numbers and dates, in the order of the values', async () => {
  const { add, find } = await newTenant()
  const two = await add({ city: 'Paris', age: 100, born: '2001-02-03', score: 10 })
  const one = await add({ city: 'Palermo', age: 9, born: '1999-12-31', score: -10 })
  const three = await add({ city: 'Pärnu', age: 18, score: -9.5 })
  assert.deepEqual(await find({ 'profile.city.prefix': 'pa' }), [one, two])
  assert.deepEqual(await find({ 'profile.city.prefix': 'P' }), [one, two, three])
  assert.deepEqual(await find({ 'profile.age.min': '18' }), [three, two])
  assert.deepEqual(await find({ 'profile.age.max': '18' }), [one, three])
  assert.deepEqual(await find({ 'profile.age.min': '10', 'profile.age.max': '99.5' }), [three])
  assert.deepEqual(await find({ 'profile.age.min': '99', 'profile.age.max': '10' }), [])
  assert.deepEqual(await find({ 'profile.score.max': '-9.5' }), [one, three])
  assert.deepEqual(await find({ 'profile.born.min': '1999-12-31' }), [one, two])
  assert.deepEqual(await find({ 'profile.born.max': '2001-02-02' }), [one])
})

test('all conditions and filters must hold', async () => {
  const { add, find } = await newTenant()
  const ann = await add({ city: 'Paris', age: 30, vip: true }, { email: 'ann@example.com', phone: '+33612345678' })
  const bob = await add({ city: 'Paris', age: 31, vip: true })
  const eve = await add({ city: 'Paris', vip: false })
  assert.deepEqual(await find({ 'profile.city': 'paris', 'profile.age.min': '30' }), [ann, bob])
  assert.deepEqual(await find({ 'profile.age.min': '30', 'profile.city': 'rome' }), [])
  assert.deepEqual(await find({ 'profile.vip': 'true', 'profile.city': 'paris', 'profile.age.max': '30' }), [ann])
  assert.deepEqual(await find({ 'profile.city': 'paris', 'profile.city.prefix': 'r' }), [])
  // Each filter alone would find someone.
  const address = { email: 'ann@example.com', phone: '+33612345678' }
  assert.deepEqual(await find({ ...address, 'profile.city': 'paris' }), [ann])
  assert.deepEqual(await find({ email: address.email, 'profile.city': 'paris', 'profile.age': '31' }), [])
  assert.deepEqual(await find({ phone: address.phone, 'profile.age': '31' }), [])
  assert.deepEqual(await find({ phone: address.phone, 'profile.age': '30' }), [ann])
  assert.deepEqual(await find({ email: 'unknown@example.com', 'profile.city': 'paris' }), [])
  assert.deepEqual(await find({ id: eve, 'profile.city': 'paris' }), [eve])
  assert.deepEqual(await find({ id: eve, 'profile.vip': 'true' }), [])
  assert.deepEqual(await find({ id: ann.slice(0, 4), 'profile.age.min': '31' }), [bob])
  assert.deepEqual(await find({ id: eve, email: address.email, 'profile.city': 'paris' }), [])
})

test('pages through a search with cursors that are valid for this search only', async () => {
  const { tenantId, add } = await newTenant()
  const ids: string[] = []
  for (const age of [40, 20, 30, 20, 50]) ids.push(await add({ city: 'Paris', age }))
  const list = (query: Record<string, string>) => service.admin.listUsers({ tenantId }, query)
  const byAge = [ids[1], ids[3], ids[2], ids[0], ids[4]]
  const found: string[] = []
  const search = { 'profile.age.min': '1', 'profile.city': 'paris', limit: '2' }
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ ...search, ...(cursor !== null && { cursor }) })
    found.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(found, byAge)

  const { nextCursor } = await list(search)
  const plain = await list({ limit: '2' })
  const rule = { cursor: 'Validation rule not met' }
  const given = { cursor: nextCursor! }
  assert.equal((await list({ ...search, ...given, 'profile.city': ' PARIS', limit: '1' })).items[0]!.id, ids[2])
  await invalid(list(given), rule)
  await invalid(list({ ...search, cursor: plain.nextCursor! }), rule)
  await invalid(list({ ...search, ...given, 'profile.age.min': '2' }), rule)
  await invalid(list({ ...search, ...given, id: '0' }), rule)
  await invalid(list({ ...search, ...given, email: 'user1@example.com' }), rule)
  const decoded = Buffer.from(nextCursor!, 'base64url').toString()
  for (const forged of [decoded.slice(0, 20), `${decoded.slice(0, 42)}\0`, decoded.toLowerCase(), `x${decoded}`]) {
    await invalid(list({ ...search, cursor: Buffer.from(forged).toString('base64url') }), rule)
  }
  await invalid(list({ ...search, cursor: `${nextCursor}=` }), rule)
  await invalid(list({ ...search, limit: '201' }), { limit: 'Validation rule not met' })
})

test('refuses conditions with what is allowed, and parameters that are sent twice or empty', async () => {
  const { tenantId, add } = await newTenant()
  await add({ city: 'Paris' })
  const query = async (text: string) => {
    const response = await fetch(`${service.baseUrl}/admin/tenants/${tenantId}/users?${text}`, {
      headers: { authorization: `Bearer ${service.adminKey}` },
    })
    return ((await response.json()) as { error?: { validation?: object } }).error?.validation
  }
  assert.deepEqual(await query('profile.note=x&profile.unknown=y&profile.age=old'), {
    'profile.note': 'Not searchable',
    'profile.unknown': 'Not searchable',
    'profile.age': 'Expected a number, such as 18 or -2.5',
  })
  assert.deepEqual(await query('profile.city=a&profile.city=b'), {
    'profile.city': 'Expected string, received array',
  })
  assert.deepEqual(await query('profile.city='), { 'profile.city': 'String must contain at least 1 character(s)' })
  assert.deepEqual(await query('profile=paris'), { profile: 'Unknown parameter' })
  assert.deepEqual(await query('profiles.city=paris'), { 'profiles.city': 'Unknown parameter' })
  assert.deepEqual(await query('Profile.city=paris'), { 'Profile.city': 'Unknown parameter' })
  assert.deepEqual(await query('profile.=paris'), { 'profile.': 'Not searchable' })
  assert.deepEqual(await query('profile.__proto__=x'), { 'profile.__proto__': 'Unknown parameter' })
  assert.deepEqual(await query('profile.constructor=x'), { 'profile.constructor': 'Not searchable' })
  assert.deepEqual(await query('profile.city=%00'), { 'profile.city': 'Invalid string' })
  assert.deepEqual(await query('profile.city=paris&email=x'), { email: 'Invalid email' })
  assert.equal(await query(`profile.city=${'%F0%9F%98%80'.repeat(1000)}`), undefined)
})

test('a tenant without searchable fields refuses every condition, and an unknown tenant is not found', async () => {
  const { tenantId } = await service.addTenant()
  const list = (id: string) => service.admin.listUsers({ tenantId: id }, { 'profile.city': 'paris' })
  await invalid(list(tenantId), { 'profile.city': 'Not searchable' })
  await assert.rejects(list('01HZZZZZZZZZZZZZZZZZZZZZZZ'), { code: 'TENANT_NOT_FOUND' })
})

test('follows changes of the profile, and forgets a deleted user', async () => {
  const { tenantId, add, find } = await newTenant()
  const userId = await add({ city: 'Paris', tags: ['red'] })
  await service.admin.updateUserProfile({ tenantId, userId }, { city: 'Rome', tags: ['red', 'green'] })
  assert.deepEqual(await find({ 'profile.city': 'paris' }), [])
  assert.deepEqual(await find({ 'profile.city': 'rome', 'profile.tags': 'green' }), [userId])
  await service.admin.updateUserProfile({ tenantId, userId }, { city: null })
  assert.deepEqual(await find({ 'profile.city': 'rome' }), [])
  assert.deepEqual(await find({ 'profile.tags': 'red' }), [userId])
  await service.admin.deleteUser({ tenantId, userId })
  assert.deepEqual(await find({ 'profile.tags': 'red' }), [])
})

test('answers a search only to operators who may read profiles, since ranges and beginnings disclose values', async () => {
  const { tenantId } = await service.addTenant()
  const hidden = { readable: false, writable: false, searchable: true } as const
  await service.admin.publishProfileSchema(
    { tenantId },
    {
      components: [
        { name: 'ssn', type: 'text', sensitive: true, searchable: true },
        { name: 'salary', type: 'integer', ...hidden },
        { name: 'note', type: 'text' },
      ],
    },
  )
  const profile = { ssn: '123-45-6789', salary: 48_213 }
  const { id, email } = await service.admin.createUser({ tenantId }, { email: 'ann@example.com', profile })
  const operator = async (scopes: readonly GrantedScope[]) => {
    const { key } = await storeOperator(service, { scopes: [...scopes], tenantIds: [tenantId] })
    const client = createTenantryAdmin({ baseUrl: service.adminUrl, adminKey: key })
    return { client, find: (query: Record<string, string>) => client.listUsers({ tenantId }, query) }
  }
  const conditions: Record<string, string>[] = [
    { 'profile.salary.max': '48213' },
    { 'profile.salary.min': '48213', id },
    { 'profile.ssn.prefix': '123', email: email! },
    { 'profile.ssn': '123-45-6789' },
  ]
  const developer = await operator(roles.developer)
  assert.equal((await developer.find({})).items[0]!.id, id)
  assert.equal((await developer.find({ q: 'ann@' })).items[0]!.id, id)
  // What is refused is not judged either: the answer does not say which fields exist.
  for (const query of [...conditions, { 'profile.note': 'x' }, { 'profile.unknown': 'x' }, { 'profile.salary': 'x' }]) {
    const { message } = await refused(developer.find(query), 'INSUFFICIENT_SCOPE')
    assert.match(message, /Missing: profiles:read\./)
  }
  // A sensitive field needs what reading its value needs.
  const reader = await operator(['users:read', 'profiles:read'])
  const { ssn, salary } = await reader.client.readUserProfile({ tenantId, userId: id })
  assert.deepEqual({ ssn, salary }, profile)
  for (const query of conditions)
    assert.deepEqual(
      (await reader.find(query)).items.map((user) => user.id),
      [id],
    )
})
