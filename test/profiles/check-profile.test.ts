import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const schema: ProfileSchemaInput = {
  components: [
    { name: 'nickname', type: 'text', unique: true, rules: { minLength: 3 } },
    { name: 'mail', type: 'email', unique: true },
    { name: 'mobile', type: 'phone', unique: true },
    { name: 'kind', type: 'select', options: ['private', 'business'].map((value) => ({ value, label: value })) },
    { name: 'vat', type: 'text', unique: true, visibleWhen: { field: 'kind', is: 'business' } },
    { name: 'workMail', type: 'email', unique: true, visibleWhen: { field: 'kind', is: 'business' } },
    { name: 'firm', type: 'text', requiredWhen: { field: 'kind', is: 'business' } },
    { name: 'code', type: 'text', unique: true, writeOnce: true },
    { name: 'plan', type: 'text', writable: false },
    { name: 'note', type: 'text', readable: false, writable: false },
  ],
}

async function newTenant(configuration: Record<string, unknown> = {}) {
  const tenant = await service.addTenant({ methods: ['password', 'otp'], configuration })
  await service.admin.publishProfileSchema(tenant, schema)
  const person = await addPerson(service, tenant)
  return { tenant, client: await person.client(), userId: person.userId }
}

type NewTenant = Awaited<ReturnType<typeof newTenant>>

const takenByAnother = { nickname: 'Ada', mail: 'ada@example.com', mobile: '+33612345678', kind: 'business' }

async function addOther({ tenant }: NewTenant): Promise<void> {
  const other = await (await addPerson(service, tenant)).client()
  await other.updateProfile({ ...takenByAnother, vat: 'FR1', firm: 'x', code: 'C1' })
}

test('tells what an update would do with each field, and stores nothing', async () => {
  const made = await newTenant()
  const { client } = made
  await addOther(made)
  const body = {
    nickname: ' ADA',
    mail: 'ada@example',
    mobile: '+33612345679',
    code: 'C1',
    vat: 'FR1',
    plan: 'pro',
    note: 'x',
    unknown: 1,
    constructor: {},
  }
  const before = service.database.everything()['profiles']
  const { fields } = await client.checkProfile(body)
  assert.deepEqual(fields, {
    nickname: 'taken',
    mail: 'invalid',
    mobile: 'ok',
    code: 'taken',
    vat: 'ignored',
    plan: 'ignored',
    note: 'ignored',
    unknown: 'ignored',
    constructor: 'ignored',
  })
  assert.deepEqual(service.database.everything()['profiles'], before)
  assert.deepEqual((await client.checkProfile({ nickname: 'ad' })).fields, { nickname: 'invalid' })
  assert.deepEqual((await client.checkProfile({ nickname: null })).fields, { nickname: 'ok' })
  assert.deepEqual((await client.checkProfile({})).fields, {})
})

test('agrees with the update that follows', async () => {
  const made = await newTenant()
  const { client } = made
  await addOther(made)
  const updates = [
    { nickname: 'ada' },
    { nickname: 'bob' },
    { kind: 'business' },
    { kind: 'business', firm: 'x', vat: 'fr1' },
    { kind: 'business', firm: 'x', vat: 'FR2', code: 'c1' },
    { kind: 'private', vat: 'FR1', code: 'C2' },
    { code: 'C3', nickname: 'eve' },
    { code: 'C2', nickname: 'Bob', mail: 'ADA@example.com' },
    { plan: 'pro', mobile: '12' },
  ]
  for (const update of updates) {
    const { fields } = await client.checkProfile(update)
    const states = Object.values(fields)
    const isFine = !states.includes('invalid') && !states.includes('taken')
    const saved = await client.updateProfile(update).then(
      () => true,
      (error) => error,
    )
    assert.equal(saved === true, isFine, `${JSON.stringify(update)}: ${JSON.stringify(fields)}`)
    if (saved === true) continue
    const refusedFields = Object.keys(fields).filter((name) => fields[name] === 'invalid' || fields[name] === 'taken')
    for (const name of Object.keys(saved.validation)) assert.ok(refusedFields.includes(name), name)
  }
})

test('reports a field that the update does not name but would be refused for', async () => {
  const { client } = await newTenant()
  assert.deepEqual((await client.checkProfile({ kind: 'business' })).fields, { kind: 'ok', firm: 'invalid' })
})

test('ignores the value of a field that the update hides', async () => {
  const { client } = await newTenant()
  await client.updateProfile({ kind: 'business', firm: 'x', vat: 'FR1' })
  assert.deepEqual((await client.checkProfile({ kind: 'private', vat: 'FR2' })).fields, { kind: 'ok', vat: 'ignored' })
})

test('one’s own value is not taken', async () => {
  const { client } = await newTenant()
  await client.updateProfile({ nickname: 'Ada', code: 'C1' })
  assert.deepEqual((await client.checkProfile({ nickname: 'ADA', code: 'C1' })).fields, { nickname: 'ok', code: 'ok' })
  assert.deepEqual((await client.checkProfile({ code: 'C2' })).fields, { code: 'invalid' })
})

test('tells a sign-up about its fields without requiring others', async () => {
  const made = await newTenant()
  await addOther(made)
  const check = async (profile: Record<string, unknown>) => (await made.tenant.client.checkSignUp({ profile })).fields
  assert.deepEqual(await check({ nickname: 'ADA', mail: 'ada@example.com', mobile: 'x', plan: 'pro', other: 1 }), {
    nickname: 'taken',
    mail: 'taken',
    mobile: 'invalid',
    plan: 'ignored',
    other: 'ignored',
  })
  assert.deepEqual(await check({ nickname: 'Bob' }), { nickname: 'ok' })
  assert.deepEqual(await check({}), {})
  await invalid(made.tenant.client.checkSignUp({} as never), { profile: 'Required' })
})

test('reports a value that clears a field which sign-ups require', async () => {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, {
    components: [
      { name: 'nickname', type: 'text' },
      { name: 'name', type: 'name' },
      { name: 'city', type: 'text' },
    ],
    forms: { signUp: { fields: ['nickname', 'name', 'city'], required: ['nickname', 'name'] } },
  })
  const { fields } = await tenant.client.checkSignUp({ profile: { nickname: null, name: {}, city: null } })
  assert.deepEqual(fields, { nickname: 'invalid', name: 'invalid', city: 'ok' })
  assert.deepEqual((await tenant.client.checkSignUp({ profile: { nickname: 'Ada' } })).fields, { nickname: 'ok' })
})

test('under enumeration protection a sign-up learns nothing about addresses', async () => {
  const made = await newTenant({ security: { enumerationProtection: true } })
  await addOther(made)
  const profile = { nickname: 'ada', mail: 'ada@example.com', mobile: '+33612345678', workMail: 'ada@example.com' }
  const { fields } = await made.tenant.client.checkSignUp({ profile })
  assert.deepEqual(fields, { nickname: 'taken', mail: 'ok', mobile: 'ok', workMail: 'ignored' })
  const other = await made.tenant.client.checkSignUp({ profile: { mail: 'free@example.com', mobile: 'nothing' } })
  assert.deepEqual(other.fields, { mail: 'ok', mobile: 'ok' })
  assert.deepEqual((await made.client.checkProfile(profile)).fields, {
    nickname: 'taken',
    mail: 'taken',
    mobile: 'taken',
    workMail: 'ignored',
  })
})

test('a restricted user cannot check, and other tenants’ values are free', async () => {
  const made = await newTenant()
  await addOther(made)
  const elsewhere = await newTenant()
  assert.deepEqual((await elsewhere.client.checkProfile({ nickname: 'ada' })).fields, { nickname: 'ok' })
  assert.deepEqual((await elsewhere.tenant.client.checkSignUp({ profile: { nickname: 'ada' } })).fields, {
    nickname: 'ok',
  })
  await service.admin.updateUser(
    { tenantId: made.tenant.tenantId, userId: made.userId },
    { restrictedCapabilities: ['profile_update'] },
  )
  await refused(made.client.checkProfile({ nickname: 'x' }), 'RESTRICTED_CAPABILITY')
})
