import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { threadMs } from '../support/thread-time.ts'
import { schemaOfEveryKind, startTarget, type Target } from './target.ts'

const schema: ProfileSchemaInput = {
  components: [
    ...['city', 'toString', 'third', 'fourth'].map((name) => ({
      name,
      type: 'text' as const,
      searchable: true,
    })),
    { name: 'age', type: 'integer', searchable: true },
    { name: 'born', type: 'date', searchable: true },
    { name: 'vip', type: 'boolean', searchable: true },
    { name: 'secret', type: 'text' },
  ],
}

let target: Target
before(async () => {
  target = await startTarget()
  const { service, tenant } = target
  await service.admin.publishProfileSchema(tenant, schema)
  for (const city of ['Paris', 'Paris', 'Paris', '100%', 'a_b', "O'Brien"]) {
    const email = `${service.clock.advance(1)}-${Math.random()}@example.com`
    await service.admin.createUser(tenant, { email, profile: { city, age: 30, secret: 'hidden' } })
  }
})
after(() => target[Symbol.asyncDispose]())

const search = (query: string) =>
  send(target.service.baseUrl, {
    path: `/admin/tenants/${target.tenant.tenantId}/users?${query}`,
    headers: [['authorization', `Bearer ${target.service.adminKey}`]],
  })

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | null
}

const page = async (query: string) => assertSuccess(await search(query), 200) as unknown as Page
const count = async (query: string): Promise<number> => (await page(query)).items.length

async function refused(query: string, validation: Record<string, string>): Promise<void> {
  assertRefusal(await search(query), 'VALIDATION_ERROR', validation)
}

const notSearchable = 'Not searchable'
const tooMany = 'Too many conditions; at most 3, where min and max of a field are one'
const onceOnly = 'Expected string, received array'

test('refuses __proto__ and fields that do not exist, and pollutes no prototype (threat A05)', async () => {
  await target.unchanged(async () => {
    const unknown = Object.fromEntries([['profile.__proto__', 'Unknown parameter']])
    for (const query of ['profile.__proto__=x', 'profile.__proto__=x&profile.__proto__=y', 'profile.%5f_proto__=x']) {
      const { validation } = ((await search(query)).json() as { error: { validation: object } }).error
      assert.deepEqual(Object.entries(validation), Object.entries(unknown), query)
    }
    for (const name of [
      '__proto__.min',
      '__proto__.polluted',
      'hasOwnProperty',
      'constructor',
      'valueOf.prefix',
      'secret',
      'secret.min',
      'id',
    ]) {
      await refused(`profile.${name}=x`, { [`profile.${name}`]: notSearchable })
    }
    await refused('profile[city]=Paris', { 'profile[city]': 'Unknown parameter' })
  })
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.equal(await count('profile.toString=x'), 0)
  assert.equal(await count('profile.toString.prefix=x'), 0)
})

test('refuses NUL and values that their type does not have (threat A13) (threat A16)', async () => {
  for (const text of ['%00', 'Paris%00', '%00Paris']) {
    await refused(`profile.city=${text}`, { 'profile.city': 'Invalid string' })
    await refused(`profile.city.prefix=${text}`, { 'profile.city.prefix': 'Invalid string' })
  }
  const number = 'Expected a number, such as 18 or -2.5'
  for (const text of ['1e400', '-1e400', '0x1e', 'Infinity', '%2B30', '%EF%BC%93%EF%BC%90', '9'.repeat(400)]) {
    await refused(`profile.age.min=${text}`, { 'profile.age.min': number })
  }
  await refused('profile.born=2024-02-30', { 'profile.born': 'Expected a date, such as 2024-02-29' })
  await refused('profile.vip=1', { 'profile.vip': 'Expected true or false' })
  await refused('profile.city=%20%E3%80%80', { 'profile.city': 'String must contain at least 1 character(s)' })
})

test('treats no character of a value as a wildcard or as SQL', async () => {
  assert.equal(await count('profile.city=Paris'), 3)
  for (const text of ['%25', '_', 'par_s', 'p%25', '*', 'Paris%27--', '%27%20OR%20%271%27=%271', '~', '%F4%8F%BF%BF']) {
    assert.equal(await count(`profile.city=${text}`), 0, text)
    assert.equal(await count(`profile.city.prefix=${text}`), 0, text)
  }
  assert.equal(await count('profile.city=100%25'), 1)
  assert.equal(await count('profile.city=a_b'), 1)
  assert.equal(await count('profile.city.prefix=o%27b'), 1)
  // Bytes that are not UTF-8 and broken escapes stay text that no value equals.
  for (const text of ['%ff', '%ed%a0%80', '%c0%af', '%', '%zz']) {
    assert.ok([200, 400].includes((await search(`profile.city=${text}`)).status), text)
  }
})

test('refuses repeated parameters, a fourth condition and a thousand of them (threat A25)', async () => {
  await refused('profile.city=Paris&profile.city=Paris', { 'profile.city': onceOnly })
  await refused('profile.city=&profile.city=Paris', { 'profile.city': onceOnly })
  await refused('profile.age.min=1&profile.age.max=2&profile.age.min=3', { 'profile.age.min': onceOnly })
  const three = 'profile.city=Paris&profile.age.min=1&profile.age.max=99&profile.third=x'
  assert.equal(await count(three), 0)
  await refused(`${three}&profile.fourth=x`, { 'profile.fourth': tooMany })
  await refused(`${three}&profile.age=30`, { 'profile.age': tooMany })
  const many = Array.from({ length: 700 }, (_, index) => `profile.n${index}=x`).join('&')
  const started = threadMs()
  const answer = await search(many)
  assert.equal(answer.status, 400)
  assert.ok(threadMs() - started < 1000)
  const { validation } = (answer.json() as { error: { validation: object } }).error
  assert.equal(Object.keys(validation).length, 100)
})

test('refuses the cursor of another search, which finds no user of another tenant', async () => {
  const { service } = target
  const { nextCursor } = await page('limit=1&profile.city=Paris')
  const cursor = encodeURIComponent(nextCursor!)
  assert.equal(await count(`profile.city=paris&cursor=${cursor}`), 2)
  const rule = { cursor: 'Validation rule not met' }
  for (const query of [
    ...['', 'profile.city=Rome', 'profile.city.prefix=Paris', 'profile.third=Paris', 'profile.city=Paris&id=0'],
    ...['profile.city=Paris&profile.age=30', 'profile.age=30&profile.city=Paris'],
  ]) {
    await refused(`${query}&cursor=${cursor}`, rule)
  }
  const listing = await page('limit=1')
  await refused(`profile.city=Paris&cursor=${encodeURIComponent(listing.nextCursor!)}`, rule)
  // Elsewhere it is a position only: the results are users of that tenant.
  const other = await service.addTenant()
  // So that the field has the same name in the index as in the first tenant.
  await service.admin.publishProfileSchema(other, schemaOfEveryKind)
  await service.admin.publishProfileSchema(other, schema)
  const { id } = await service.admin.createUser(other, { email: 'other@example.com', profile: { city: 'Paris' } })
  const { items } = await service.admin.listUsers(other, { 'profile.city': 'Paris', cursor: nextCursor! })
  assert.deepEqual(
    items.map((user) => user.id),
    [id],
  )
})

test('finds no user by a value that cannot be searched, and echoes no value', async () => {
  for (const query of ['profile.secret=hidden', 'profile.age.min=canary-value', 'profile.city=canary-value%00']) {
    const answer = await search(query)
    assert.equal(answer.status, 400)
    assert.doesNotMatch(answer.text, /hidden|canary/)
  }
  target.service.log.length = 0
  await search('profile.city=canary-value')
  assert.doesNotMatch(target.service.log.join(''), /canary/)
})
