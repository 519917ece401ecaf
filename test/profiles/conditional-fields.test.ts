import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { changesNothing, storedRow } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const business = { field: 'kind', is: 'business' }
const components: ProfileSchemaInput['components'] = [
  { name: 'kind', type: 'select', required: true, options: [{ value: 'private' }, { value: 'business' }] },
  { name: 'country', type: 'select', options: [{ value: 'FR' }, { value: 'US' }] },
  {
    ...{ name: 'vat', type: 'text', rules: { pattern: '^FR[0-9]{11}$' }, visibleWhen: business },
    requiredWhen: { all: [business, { field: 'country', is: 'FR' }] },
    lockedWhen: { field: 'verified', is: true },
  },
  { name: 'verified', type: 'boolean', writable: false },
  { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'fleet', when: business }] },
  { name: 'card', type: 'text', sensitive: true },
  { name: 'score', type: 'integer', readable: false },
  { name: 'note', type: 'text', readable: false, writable: false, visibleWhen: { field: 'risk', set: true } },
  { name: 'risk', type: 'integer', readable: false, writable: false },
]
const schema: ProfileSchemaInput = {
  version: '2026-01',
  components,
  forms: { signUp: { fields: ['kind', 'vat'], required: ['kind', 'vat'] } },
}
const notMet = 'Validation rule not met'
const vat = 'FR12345678901'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, schema)
})
after(() => service.close())

const storedValues = (userId: string) =>
  JSON.parse(String(storedRow(service, 'SELECT content FROM profiles WHERE user_id = ?', userId)['content']))

/** A business customer with a VAT number, signed in. */
async function addCustomer(values: object = {}) {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await client.updateProfile({ kind: 'business', country: 'FR', vat, ...values })
  const operator = { tenantId: tenant.tenantId, userId: person.userId }
  return { ...person, client, operator, token: (await person.signIn()).accessToken }
}

test('publishes conditions without the operator’s notes', async () => {
  const { body } = await request(service, 'GET /tenant-configuration', { key: tenant.key })
  assert.deepEqual(body.profileSchema.components, components.slice(0, -2))
  const asStored = await service.admin.readProfileSchema(tenant)
  assert.deepEqual(asStored.components, components)
})

test('clears the VAT number of a customer who becomes a private one', async () => {
  const { client, userId } = await addCustomer({ plan: 'free' })
  const changed = await client.updateProfile({ kind: 'private', vat: 'whatever' })
  assert.deepEqual([changed['kind'], changed['vat']], ['private', null])
  assert.deepEqual(storedValues(userId), { kind: 'private', country: 'FR', vat: null, plan: 'free' })
  assert.equal((await client.updateProfile({ kind: 'business', country: 'US' }))['vat'], null)
})

test('requires the VAT number of French businesses, and names the rule', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  await client.updateProfile({ kind: 'business', country: 'US' })
  await changesNothing(service, async () => {
    await invalid(client.updateProfile({ country: 'FR' }), { vat: notMet })
  })
  const wire = { key: tenant.key, token: (await person.signIn()).accessToken, body: { country: 'FR', plan: 'fleet' } }
  const { status, body } = await request(service, 'PATCH /account/profile', wire)
  assert.deepEqual([status, body.error.details], [400, { vat: { rule: 'requiredWhen' } }])
  assert.equal((await client.updateProfile({ country: 'FR', vat }))['vat'], vat)
})

test('locks the VAT number once the operator has verified it, also against hiding it', async () => {
  const { client, operator } = await addCustomer()
  await service.admin.updateUserProfile(operator, { verified: true })
  await changesNothing(service, async () => {
    await invalid(client.updateProfile({ vat: 'FR99999999999' }), { vat: notMet })
    await invalid(client.updateProfile({ vat: null }), { vat: notMet })
    await invalid(client.updateProfile({ kind: 'private' }), { vat: notMet })
  })
  assert.equal((await client.updateProfile({ vat, country: 'US' }))['vat'], vat)
  await service.admin.updateUserProfile(operator, { vat: 'FR99999999999' })
  assert.equal((await service.admin.updateUserProfile(operator, { kind: 'private' }))['vat'], null)
})

test('refuses a change that makes a stored choice impossible until the update changes it too', async () => {
  const { client } = await addCustomer({ plan: 'fleet' })
  await invalid(client.updateProfile({ kind: 'private' }), { plan: notMet })
  assert.equal((await client.updateProfile({ kind: 'private', plan: 'free' }))['plan'], 'free')
})

test('shows the user null for fields that only the operator reads, and no notes', async () => {
  const { client, operator } = await addCustomer({ score: 7 })
  await service.admin.updateUserProfile(operator, { risk: 3, note: 'slow payer' })
  for (const profile of [await client.getProfile(), await client.updateProfile({ note: 'x' })]) {
    assert.equal(profile['score'], null)
    assert.ok(!Object.hasOwn(profile, 'note') && !Object.hasOwn(profile, 'risk'))
  }
  const seen = await service.admin.readUserProfile(operator)
  assert.deepEqual([seen['score'], seen['note']], [7, 'slow payer'])
  const cleared = await service.admin.updateUserProfile(operator, { risk: null })
  assert.deepEqual([cleared['risk'], cleared['note']], [null, null])
})

test('a sign-up requires the fields of its form that are visible', async () => {
  const signUp = (email: string, profile: object) =>
    tenant.client.signUp({ method: 'password', email, password: 'correct horse', profile: { ...profile } })
  await invalid(signUp('firm@example.com', { kind: 'business' }), { 'profile.vat': 'Required' })
  await signUp('firm@example.com', { kind: 'business', vat })
  await signUp('jane@example.com', { kind: 'private', vat: 'ignored' })
})

test('imports and new users are judged with conditions', async () => {
  const profile = { kind: 'business', country: 'FR' }
  const { errors } = await importInto(service, tenant, [{ guest: true, profile }])
  assert.deepEqual(errors[0]?.validation, { 'profile.vat': notMet })
  const created = service.admin.createUser(tenant, { email: 'made@example.com', profile })
  await invalid(created, { 'profile.vat': notMet })
})

test('a new version that hides a stored value shows null, and the next update clears it', async () => {
  const other = await service.addTenant()
  const [kind, , vatField] = components
  const visible = { name: 'vat', type: 'text' as const }
  await service.admin.publishProfileSchema(other, { components: [kind!, visible] })
  const person = await addPerson(service, other)
  const client = await person.client()
  await client.updateProfile({ kind: 'private', vat })
  const hidden = { ...visible, visibleWhen: vatField!.visibleWhen! }
  const candidate = { components: [kind!, hidden, { name: 'nick', type: 'text' as const }] }
  const { changes } = await service.admin.checkProfileSchema(other, candidate)
  assert.deepEqual(
    changes.map(({ field, kind: change }) => [field, change]),
    [['vat', 'conditional']],
  )
  await service.admin.publishProfileSchema(other, candidate)
  assert.equal((await client.getProfile())['vat'], null)
  await client.updateProfile({ nick: 'x' })
  assert.equal(storedValues(person.userId).vat, null)
})

test('the account’s own export has sensitive values, and logs have none of any field', async () => {
  const { token, client } = await addCustomer({ card: '4242424242424242' })
  const { body } = await request(service, 'GET /account/export', { key: tenant.key, token })
  assert.equal(body.data.profile.card, '4242424242424242')
  await refused(client.updateProfile({ card: 4242424242424242, vat: 'FR424242' }), 'VALIDATION_ERROR')
  for (const value of [vat, '4242424242424242', 'FR424242', 'slow payer']) {
    assert.ok(!service.log.some((line) => line.includes(value)), value)
  }
})

test('refuses to publish a condition that cannot work, and stores nothing', async () => {
  const candidate = (visibleWhen: object) => ({
    components: [...components, { name: 'x', type: 'text' as const, visibleWhen }] as typeof components,
  })
  await changesNothing(service, async () => {
    const publish = service.admin.publishProfileSchema(tenant, candidate({ field: 'nope', is: 'FR' }))
    const { validation } = await refused(publish, 'VALIDATION_ERROR')
    assert.match(validation?.['components.x.visibleWhen.field'] ?? '', /^names no component of this schema/)
  })
})
