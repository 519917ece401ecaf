import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { onPostgres } from '../../support/databases/open-database.ts'
import { storedRow, storedRows, writeStored } from '../../support/databases/stored-rows.ts'
import { addPerson } from '../../support/person.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { type Hit, type Shot, tally } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

const fields = times(32, (index) => `field${index}`)
const manyFields: ProfileSchemaInput = { components: fields.map((name) => ({ name, type: 'text' })) }

const schemas = new WeakMap<RaceFixture, Promise<TestTenant>>()

async function tenantWithFields({ service }: RaceFixture): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, manyFields)
  return tenant
}

async function newcomer(fixture: RaceFixture) {
  const pending = schemas.get(fixture) ?? tenantWithFields(fixture)
  schemas.set(fixture, pending)
  const tenant = await pending
  const person = await addPerson(fixture.service, tenant)
  const { accessToken } = await person.signIn()
  const patch = (body: Record<string, unknown>): Shot => patchProfile(tenant, accessToken, body)
  return { person, patch, client: tenant.client.withSession(accessToken) }
}

const patchProfile = ({ key }: TestTenant, token: string, body: Record<string, unknown>): Shot => ({
  line: 'PATCH /account/profile',
  key,
  token,
  body,
})

const profilesOf = (fixture: RaceFixture, userId: string) =>
  storedRows(fixture.service, 'SELECT * FROM profiles WHERE user_id = ?', userId)

const distinct = (answers: readonly Hit[], field: string): number =>
  new Set(answers.map(({ body }) => body.data[field])).size

/**
 * Fires updates of one profile, and repeats those answered with 503: on PostgreSQL, an update is refused after 15 lost
 * races, which happens on a busy machine; clients repeat it.
 */
async function fireUntilStored(fixture: RaceFixture, shots: readonly Shot[], random: Random): Promise<Hit[]> {
  const answers = await fixture.fire(shots, random)
  for (const [index, { outcome }] of answers.entries()) {
    if (!onPostgres || outcome !== 'SERVICE_UNAVAILABLE') continue
    const [again] = await fireUntilStored(fixture, [shots[index]!], random)
    answers[index] = again!
  }
  return answers
}

/** D11: 32 first updates of one user: one profile, which every answer returns. */
export async function firstUpdates(fixture: RaceFixture, random: Random): Promise<void> {
  const { person, patch, client } = await newcomer(fixture)
  const answers = await fireUntilStored(
    fixture,
    times(32, (index) => patch(index % 2 ? {} : { field0: `v${index}` })),
    random,
  )
  assert.deepEqual(tally(answers), { 200: 32 })
  assert.equal(distinct(answers, 'id'), 1)
  assert.equal(distinct(answers, 'createdAt'), 1)
  const rows = profilesOf(fixture, person.userId)
  assert.equal(rows.length, 1)
  assert.equal(rows[0]!['id'], answers[0]!.body.data.id)
  assert.equal((await client.getProfile()).id, rows[0]!['id'])
}

/** D12: 32 updates of different fields: none is lost. */
export async function updatesOfDifferentFields(fixture: RaceFixture, random: Random): Promise<void> {
  const { person, patch, client } = await newcomer(fixture)
  if (random.next() < 0.5) await client.updateProfile({})
  const values = Object.fromEntries(fields.map((name) => [name, `${name} ${random.below(1e9)}`]))
  const answers = await fireUntilStored(
    fixture,
    fields.map((name) => patch({ [name]: values[name] })),
    random,
  )
  assert.deepEqual(tally(answers), { 200: 32 })
  for (const [index, name] of fields.entries()) assert.equal(answers[index]!.body.data[name], values[name])
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...stored } = await client.getProfile()
  assert.deepEqual(stored, values)
  const [row, ...more] = profilesOf(fixture, person.userId)
  assert.deepEqual(JSON.parse(row!['content'] as string), values)
  assert.equal(more.length, 0)
}

/** D13: 32 updates of one field: `updatedAt` orders them, and the value of the last one stays. */
export async function updatesOfOneField(fixture: RaceFixture, random: Random): Promise<void> {
  const { person, patch, client } = await newcomer(fixture)
  const sent = times(32, (index) => `value ${index} ${random.below(1e9)}`)
  const answers = await fireUntilStored(
    fixture,
    sent.map((field0) => patch({ field0 })),
    random,
  )
  assert.deepEqual(tally(answers), { 200: 32 })
  for (const [index, value] of sent.entries()) assert.equal(answers[index]!.body.data.field0, value)
  const profiles = answers.map(({ body }) => body.data).sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
  assert.equal(distinct(answers, 'updatedAt'), 32, 'updatedAt strictly increases')
  assert.deepEqual(await client.getProfile(), profiles.at(-1))
  const [row] = profilesOf(fixture, person.userId)
  assert.equal(new Date(row!['updated_at'] as number).toISOString(), profiles.at(-1).updatedAt)
  assert.equal(JSON.parse(row!['content'] as string).field0, profiles.at(-1).field0)
}

const before: ProfileSchemaInput = {
  components: [
    { name: 'nick', type: 'text', rules: { maxLength: 5 } },
    { name: 'age', type: 'integer' },
  ],
}
const after: ProfileSchemaInput = {
  components: [
    { name: 'nick', type: 'text', rules: { maxLength: 10 } },
    { name: 'city', type: 'text' },
  ],
}
const own = ['id', 'createdAt', 'updatedAt']

/** D14: updates while the schema changes: each is validated by one version only, and returns that version's fields. */
export async function updatesAgainstNewSchema(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  await service.admin.publishProfileSchema({ tenantId }, { ...before, version: 'before' })
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  // A token seen before is verified faster; otherwise publishing, which needs none, would always come first.
  await tenant.client.withSession(accessToken).updateProfile({})
  const sent = times(32, (index) => ({ nick: index % 2 ? 'longnick' : 'nick', age: 1 + index, city: `City ${index}` }))
  const line = `PUT /admin/tenants/${tenantId}/profile-schema`
  const publish = { line, adminKey: service.adminKey, body: { ...after, version: 'after' } }
  const shots = [publish, ...sent.map((body) => patchProfile(tenant, accessToken, body))]
  const [published, ...answers] = await fixture.fire(shots, random, { whole: random.next() < 0.5 })
  assert.equal(published!.outcome, '200')

  for (const [index, { outcome, body }] of answers.entries()) {
    const { nick, age, city } = sent[index]!
    if (outcome === 'VALIDATION_ERROR') {
      assert.equal(nick, 'longnick', 'only the previous version rejects it')
      assert.deepEqual(body.error.validation, { nick: 'Validation rule not met' })
      continue
    }
    const { data } = body
    const isAfter = 'city' in data
    assert.deepEqual(Object.keys(data).sort(), [...own, 'nick', isAfter ? 'city' : 'age'].sort())
    assert.equal(data.nick, nick)
    assert.equal(isAfter ? data.city : data.age, isAfter ? city : age)
    if (!isAfter) assert.equal(nick, 'nick', 'the previous version rejects long names')
  }
  const client = tenant.client.withSession(accessToken)
  const last = await client.updateProfile({ nick: 'ten chars!', age: 99, city: 'Rome' })
  assert.deepEqual(Object.keys(last).sort(), [...own, 'nick', 'city'].sort())
  const row = storedRow(service, 'SELECT * FROM profiles WHERE user_id = ?', person.userId)
  assert.equal(row['schema_version'], 'after')
  assert.notEqual(JSON.parse(row['content'] as string).age, 99)
}

const uniqueNick: ProfileSchemaInput = { components: [{ name: 'nick', type: 'text', unique: true }] }

interface Claimants {
  readonly tenantId: string
  readonly userIds: readonly string[]
}
const claimants = new WeakMap<RaceFixture, Promise<Claimants>>()

/** A tenant with 64 users, half of them with a profile, for all rounds on a fixture. */
async function addClaimants({ service }: RaceFixture): Promise<Claimants> {
  const { tenantId } = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId }, uniqueNick)
  const users = await Promise.all(
    times(64, (index) =>
      service.admin.createUser(
        { tenantId },
        { email: `${index}@race.example`, ...(index % 2 === 0 && { profile: {} }) },
      ),
    ),
  )
  return { tenantId, userIds: users.map(({ id }) => id) }
}

/** D37: 64 users claim one value: one gets it, and no entry of the others is left. */
export async function claimsOfOneValue(fixture: RaceFixture, random: Random): Promise<void> {
  const { service, fire } = fixture
  const pending = claimants.get(fixture) ?? addClaimants(fixture)
  claimants.set(fixture, pending)
  const { tenantId, userIds } = await pending
  const nick = `nick ${random.below(1e12)}`
  const shots = userIds.map(
    (id): Shot => ({
      line: `PATCH /admin/tenants/${tenantId}/users/${id}/profile`,
      adminKey: service.adminKey,
      body: { nick },
    }),
  )
  const answers = await fire(shots, random)
  const { 200: won = 0, VALIDATION_ERROR: lost = 0, SERVICE_UNAVAILABLE: busy = 0 } = tally(answers)
  assert.deepEqual([won, lost + busy], [1, 63])
  assert.ok(busy === 0 || onPostgres)
  const profiles = storedRows(
    service,
    'SELECT user_id, content FROM profiles WHERE tenant_id = ? ORDER BY user_id',
    tenantId,
  )
  const values = profiles.flatMap(({ user_id, content }) => {
    const value = JSON.parse(String(content)).nick
    return typeof value === 'string' ? [{ user_id: String(user_id), value }] : []
  })
  const holders = values.filter(({ value }) => value === nick)
  const winner = userIds[answers.findIndex(({ status }) => status === 200)]!
  assert.deepEqual(
    holders.map(({ user_id }) => user_id),
    [winner],
  )
  const claimed = values.map(({ user_id, value }) => `${user_id} ${hash('sha256', value, 'base64url')}`)
  const rows = storedRows(
    service,
    'SELECT user_id, value_hash FROM profile_unique WHERE tenant_id = ? ORDER BY user_id',
    tenantId,
  )
  assert.deepEqual(rows.map((row) => `${row['user_id']} ${row['value_hash']}`).sort(), claimed.sort())
  // The next round needs users without a profile too.
  if (random.next() < 0.5) return
  for (const table of ['profiles', 'profile_unique']) {
    await writeStored(service, `DELETE FROM ${table} WHERE user_id = ?`, winner)
  }
}
