import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileValues } from '../../contract/fields/field-type.ts'
import { ulid } from '../../server/core/ids.ts'
import { changesNothing, storedRow } from '../support/databases/stored-rows.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { atOnce, onlyWinner } from '../support/sign-in-methods.ts'

const limit = 1024
let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService({ profileBytes: limit })
  tenant = await addTenant(service, ['a', 'b', 'c'])
})
after(() => service.close())

/** A tenant whose profiles have these text fields. */
async function addTenant(at: TestService, names: readonly string[]): Promise<TestTenant> {
  const added = await at.addTenant()
  const components = names.map((name) => ({ name, type: 'text' as const, rules: { maxLength: 20_000 } }))
  await at.admin.publishProfileSchema(added, { components })
  return added
}

const storedBytes = (at: TestService, { userId }: Person): number =>
  Buffer.byteLength(String(storedRow(at, 'SELECT content FROM profiles WHERE user_id = ?', userId)['content']))

/** A text that makes `{"<name>":"<text>"}` `bytes` long. */
const textFor = (bytes: number, name = 'a'): string => 'x'.repeat(bytes - `{"${name}":""}`.length)

/** Stores a profile directly, as if written under a higher limit. */
async function storeProfile({ userId }: Person, values: ProfileValues): Promise<void> {
  const at = service.clock.now()
  const profile = { id: ulid(at), userId, schemaVersion: '2', values, createdAt: at, updatedAt: at }
  const { storage } = service.service.services
  assert.ok(await storage.forTenant(tenant.tenantId).profiles.save(profile, null))
}

test('limits a profile that grows over several requests to 262,144 bytes', async () => {
  await using roomy = await startTestService()
  // 66 updates of 60,000 bytes each: 4 MB without the limit.
  const names = Array.from({ length: 66 * 3 }, (_, index) => `field${index}`)
  const updates = names.map((_, index) => names.slice(index, index + 3)).filter((_, index) => index % 3 === 0)
  const bodies = updates.map((fields) => Object.fromEntries(fields.map((name) => [name, 'x'.repeat(20_000)])))
  const person = await addPerson(roomy, await addTenant(roomy, names))
  const client = await person.client()
  for (const body of bodies.slice(0, 4)) await client.updateProfile(body)
  const full = storedBytes(roomy, person)
  assert.ok(full > 240_000 && full <= 262_144)
  await changesNothing(roomy, async () => {
    for (const body of bodies.slice(4)) await refused(client.updateProfile(body), 'PAYLOAD_TOO_LARGE')
  })
  await client.updateProfile({ field0: null, field1: null, field2: null })
  await client.updateProfile(bodies[4]!)
})

test('applies the limit to the UTF-8 bytes of the stored JSON text', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const refusal = await refused(client.updateProfile({ a: textFor(limit + 1) }), 'PAYLOAD_TOO_LARGE')
  assert.match(refusal.message, /the resulting profile, exceeds the size limit\. .* clear profile fields/)
  await client.updateProfile({ a: textFor(limit) })
  assert.equal(storedBytes(service, person), limit)
  await refused(client.updateProfile({ b: 'x' }), 'PAYLOAD_TOO_LARGE')
  await refused(client.updateProfile({ a: `${textFor(limit).slice(1)}é` }), 'PAYLOAD_TOO_LARGE')
  await client.updateProfile({ a: `${textFor(limit).slice(2)}é` })
  assert.equal(storedBytes(service, person), limit)
})

test('lets a profile above a lowered limit shrink but not grow', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await storeProfile(person, { a: textFor(3000) })
  await refused(client.updateProfile({ a: textFor(3001) }), 'PAYLOAD_TOO_LARGE')
  await refused(client.updateProfile({ b: 'more' }), 'PAYLOAD_TOO_LARGE')
  await client.updateProfile({})
  await client.updateProfile({ a: textFor(3000).toUpperCase() })
  await client.updateProfile({ a: textFor(2000) })
  await refused(client.updateProfile({ a: textFor(2001) }), 'PAYLOAD_TOO_LARGE')
  await client.updateProfile({ a: textFor(900) })
  await refused(client.updateProfile({ a: textFor(limit + 1) }), 'PAYLOAD_TOO_LARGE')
})

test('does not count archived values of removed fields', async () => {
  const changing = await addTenant(service, ['a', 'b'])
  const person = await addPerson(service, changing)
  const client = await person.client()
  await client.updateProfile({ a: textFor(limit) })
  const components = ['b', 'c'].map((name) => ({ name, type: 'text' as const, rules: { maxLength: 20_000 } }))
  await service.admin.publishProfileSchema(changing, { components })
  await client.updateProfile({ b: textFor(limit, 'b') })
  assert.ok(storedBytes(service, person) > limit, 'the removed value is kept')
  await refused(client.updateProfile({ c: 'x' }), 'PAYLOAD_TOO_LARGE')
  await client.updateProfile({ b: 'x', c: 'x' })
})

test('rejects one of two concurrent updates that fit alone but not together', async () => {
  for (let round = 0; round < 10; round++) {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    await client.updateProfile({ c: 'first' })
    const answers = await atOnce(2, (index) => client.updateProfile({ [index === 0 ? 'a' : 'b']: 'x'.repeat(600) }))
    assert.deepEqual(onlyWinner(answers).refusals, ['PAYLOAD_TOO_LARGE'])
    assert.ok(storedBytes(service, person) <= limit)
  }
})

test('applies the limit to sign-up and to every operator write', async () => {
  const { client, tenantId } = tenant
  const person = await addPerson(service, tenant)
  const path = { tenantId, userId: person.userId }
  const email = 'large@example.com'
  const [large, fitting] = [{ a: textFor(limit + 1) }, { a: textFor(limit) }]
  const signUp = (profile: Record<string, unknown>) =>
    client.signUp({ method: 'password', email: 'sign-up@example.com', password: 'correct horse', profile })
  const { errors, counts } = await changesNothing(service, async () => {
    await refused(signUp(large), 'PAYLOAD_TOO_LARGE')
    await refused(service.admin.createUser({ tenantId }, { email, profile: large }), 'PAYLOAD_TOO_LARGE')
    await refused(service.admin.updateUserProfile(path, large), 'PAYLOAD_TOO_LARGE')
    return importInto(service, tenant, [{ email, profile: large }])
  })
  assert.deepEqual(
    errors.map(({ line, code, message }) => [line, code, message.includes('exceeds the size limit')]),
    [[1, 'PAYLOAD_TOO_LARGE', true]],
  )
  assert.deepEqual(counts, { read: 1, imported: 0, failed: 1 })
  await signUp(fitting)
  await service.admin.createUser({ tenantId }, { email: 'created@example.com', profile: fitting })
  await service.admin.updateUserProfile(path, fitting)
  const rows = [
    { email: 'row-1@example.com', profile: large },
    { email: 'row-2@example.com', profile: fitting },
  ]
  assert.deepEqual((await importInto(service, tenant, rows)).counts, { read: 2, imported: 1, failed: 1 })
})
