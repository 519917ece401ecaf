import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { changesNothing, storedRows } from '../support/databases/stored-rows.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const nick = { name: 'nick', type: 'text', unique: true, searchable: true } as const
const code = { name: 'code', type: 'text', unique: true, uniqueBy: 'exact' } as const
const kind = { name: 'kind', type: 'select' as const, options: [{ value: 'firm' }, { value: 'person' }] }
const vat = { name: 'vat', type: 'text', unique: true, visibleWhen: { field: 'kind', is: 'firm' } } as const
const schema: ProfileSchemaInput = { components: [nick, code, kind, vat], forms: { signUp: { fields: ['nick'] } } }

async function tenantWith(published = schema): Promise<TestTenant> {
  const tenant = await service.addTenant()
  const { state } = await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, published)
  assert.equal(state, 'current')
  return tenant
}

async function newClient(tenant: TestTenant) {
  const person = await addPerson(service, tenant)
  return Object.assign(await person.client(), { userId: person.userId })
}

/** Asserts that another user has the value of a field. */
async function taken(call: Promise<unknown>, field: string): Promise<void> {
  const { validation, details } = await refused(call, 'VALIDATION_ERROR')
  assert.deepEqual(validation, { [field]: 'Validation rule not met' })
  assert.deepEqual(details, { [field]: { rule: 'unique' } })
}

const claims = ({ tenantId }: TestTenant) =>
  storedRows(
    service,
    'SELECT field, value_hash, user_id FROM profile_unique WHERE tenant_id = ? ORDER BY field, user_id',
    tenantId,
  )

test('a value of a unique field belongs to one user, whatever its letter case and width', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ nick: 'Straße' })
  await changesNothing(service, async () => {
    for (const same of ['Straße', 'STRASSE', ' ｓｔｒａｓｓｅ']) await taken(bea.updateProfile({ nick: same }), 'nick')
    await taken(bea.updateProfile({ nick: 'strasse', kind: 'firm' }), 'nick')
  })
  await ann.updateProfile({ nick: 'STRASSE' })
  await bea.updateProfile({ nick: 'Gasse' })
  await taken(bea.updateProfile({ nick: 'strasse' }), 'nick')
  assert.equal(claims(tenant).length, 2)
})

test('a taken value has its message beside those of other refused fields', async () => {
  const steps = [{ step: 'who', fields: ['nick', 'kind'] }]
  const tenant = await tenantWith({ ...schema, forms: { profile: { steps } } })
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ nick: 'x', code: 'y' })
  const noKind = { kind: { rule: 'options', options: ['firm', 'person'] } }
  const both = { nick: { rule: 'unique' }, ...noKind }
  const refusalOf = (call: Promise<unknown>) => refused(call, 'VALIDATION_ERROR')
  await changesNothing(service, async () => {
    const { validation, details } = await refusalOf(bea.updateProfile({ nick: 'x', code: 'z', kind: 'club' }))
    assert.deepEqual(validation, { nick: 'Validation rule not met', kind: 'Validation rule not met' })
    assert.deepEqual(details, both)
    const ofStep = await refusalOf(
      bea.updateProfile({ nick: 'x', code: 'y', kind: 'club' }, { query: { form: 'profile', step: 'who' } }),
    )
    assert.deepEqual(ofStep.details, both)
    const user = { tenantId: tenant.tenantId, userId: bea.userId }
    const byOperator = await refusalOf(service.admin.updateUserProfile(user, { nick: 'x', kind: 'club' }))
    assert.deepEqual(byOperator.details, both)
    // A value of the user's own is not taken.
    const own = await refusalOf(ann.updateProfile({ nick: 'X', kind: 'club' }))
    assert.deepEqual(own.details, noKind)
  })
})

test('uniqueBy exact distinguishes letter case', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ code: 'aB' })
  await taken(bea.updateProfile({ code: ' aB' }), 'code')
  assert.equal((await bea.updateProfile({ code: 'ab' }))['code'], 'ab')
})

test('clearing or changing a value frees it', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ nick: 'x', code: 'y' })
  await ann.updateProfile({ nick: 'y', code: 'x' })
  await bea.updateProfile({ nick: 'x', code: 'y' })
  await taken(bea.updateProfile({ nick: 'y' }), 'nick')
  await ann.updateProfile({ nick: null })
  await bea.updateProfile({ nick: 'y' })
  assert.equal(claims(tenant).length, 3)
})

test('a hidden field claims nothing, and frees its value when it is hidden', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ kind: 'firm', vat: 'FR1' })
  await bea.updateProfile({ kind: 'person', vat: 'FR1' })
  await taken(bea.updateProfile({ kind: 'firm', vat: 'fr1' }), 'vat')
  await ann.updateProfile({ kind: 'person' })
  await bea.updateProfile({ kind: 'firm', vat: 'fr1' })
  assert.deepEqual(
    claims(tenant).map((row) => row['user_id']),
    [bea.userId],
  )
})

test('a version that hides the field on which a unique one depends frees its values', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ kind: 'firm', vat: 'FR1' })
  const trades = { name: 'trades', type: 'boolean' } as const
  const shown = { ...kind, visibleWhen: { field: 'trades', is: true } }
  const published = { components: [trades, shown, vat] }
  assert.equal((await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, published)).state, 'current')
  await bea.updateProfile({ trades: true, kind: 'firm', vat: 'FR1' })
  await taken(ann.updateProfile({ trades: true, kind: 'firm', vat: 'FR1' }), 'vat')
  await service.service.services.schemaBuilds.run()
  assert.deepEqual(
    claims(tenant).map((row) => row['user_id']),
    [bea.userId],
  )
})

test('the operator, a sign-up and new users are bound too', async () => {
  const tenant = await tenantWith()
  const { tenantId } = tenant
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ nick: 'x' })
  await changesNothing(service, async () => {
    await taken(service.admin.updateUserProfile({ tenantId, userId: bea.userId }, { nick: 'X' }), 'nick')
    const signUp = { method: 'password', password: 'correct horse', profile: { nick: 'X' } } as const
    await taken(tenant.client.signUp({ ...signUp, email: 'new@example.com' }), 'profile.nick')
    const user = { email: 'other@example.com', profile: { nick: 'X' } }
    await taken(service.admin.createUser({ tenantId }, user), 'profile.nick')
  })
  await service.admin.createUser({ tenantId }, { email: 'new@example.com', profile: { nick: 'new' } })
  await taken(ann.updateProfile({ nick: 'new' }), 'nick')
})

test('a clash is the error of its row of an import, and of its preview', async () => {
  const tenant = await tenantWith()
  await (await newClient(tenant)).updateProfile({ nick: 'x' })
  const rows = ['X', 'a', 'A', 'b'].map((value, index) => ({
    email: `${index}@import.example`,
    profile: { nick: value },
  }))
  for (const dryRun of [true, false]) {
    const { errors, counts } = await importInto(service, tenant, rows, dryRun ? { dryRun: 'true' } : {})
    assert.deepEqual(
      errors.map(({ line, code, validation }) => [line, code, validation]),
      [1, 3].map((line) => [line, 'VALIDATION_ERROR', { 'profile.nick': 'Validation rule not met' }]),
    )
    assert.deepEqual(counts, { read: 4, imported: 2, failed: 2 })
  }
  assert.equal(claims(tenant).length, 3)
})

test('erasing an idle guest frees its values', async () => {
  const configuration = { auth: { methods: ['guest', 'password'], guest: { idleDays: 1 } } }
  const tenant = await service.addTenant({ configuration })
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, schema)
  const guest = await tenant.client.signIn({ method: 'guest' })
  await tenant.client.withSession(guest.accessToken).updateProfile({ nick: 'x', code: 'y' })
  assert.equal(claims(tenant).length, 2)
  service.clock.advance(86_400_001)
  await service.service.services.housekeeping.run()
  assert.deepEqual(claims(tenant), [])
  const searched = 'SELECT * FROM profile_search WHERE tenant_id = ?'
  assert.deepEqual(storedRows(service, searched, tenant.tenantId), [])
  const bea = await newClient(tenant)
  assert.equal((await bea.updateProfile({ nick: 'X', code: 'y' }))['nick'], 'X')
})

test('deleting a user, and erasing the tenant, remove all entries', async () => {
  const tenant = await tenantWith()
  const [ann, bea] = [await newClient(tenant), await newClient(tenant)]
  await ann.updateProfile({ nick: 'x', code: 'y' })
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: ann.userId })
  assert.deepEqual(claims(tenant), [])
  await bea.updateProfile({ nick: 'x' })
  await service.admin.deleteTenant({ tenantId: tenant.tenantId })
  service.clock.advance(600_000)
  await service.service.services.housekeeping.run()
  for (const table of ['profile_unique', 'profile_search']) {
    assert.deepEqual(storedRows(service, `SELECT * FROM ${table} WHERE tenant_id = ?`, tenant.tenantId), [])
  }
})
