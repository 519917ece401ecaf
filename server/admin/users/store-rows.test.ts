import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing, storedRow } from '../../../test/support/databases/stored-rows.ts'
import { importInto } from '../../../test/support/import-into.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'
import { WriteConflict } from '../../storage/storage.ts'

let service: TestService
/** Statements that fail once with a conflict in the next transaction. */
const conflicts = new Set<string>()
let statements: string[] = []
before(async () => {
  const hooks = {
    onStatement(name: string) {
      statements.push(name)
      if (conflicts.delete(name)) throw new WriteConflict('forced')
    },
  }
  service = await startTestService({ hooks })
})
after(() => service.close())

async function newTenant(): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'firstName', type: 'text' }] })
  return tenant
}

const usersOf = async ({ tenantId }: TestTenant) =>
  (await service.admin.listUsers({ tenantId }, { limit: '200' })).items
const emailsOf = async (tenant: TestTenant) => (await usersOf(tenant)).map(({ email }) => email).sort()

test('names the rule of a row whose unique profile field is taken (SCHEMA-12)', async () => {
  const tenant = await service.addTenant()
  const components = [{ name: 'member', type: 'text' as const, unique: true }]
  await service.admin.publishProfileSchema(tenant, { components })
  const profile = { member: 'A-1' }
  const file = [
    { email: 'ada@example.com', profile },
    { email: 'b@example.com', profile },
  ]
  const { errors } = await importInto(service, tenant, file)
  assert.deepEqual(
    errors.map(({ line, validation, details }) => ({ line, validation, details })),
    [
      {
        line: 2,
        validation: { 'profile.member': 'Validation rule not met' },
        details: { 'profile.member': { rule: 'unique' } },
      },
    ],
  )
  assert.deepEqual(await emailsOf(tenant), ['ada@example.com'])
})

test('reports rows whose id, address or identity is taken, and stores nothing of them', async () => {
  const tenant = await newTenant()
  const [id, other] = [ulid(0), ulid(1)]
  const google = [{ provider: 'google', subject: 'g-2' }]
  const file = [
    { id, email: 'ada@example.com', phone: '+33612345678', identities: google, profile: { firstName: 'Ada' } },
    { id, email: 'b@example.com', profile: {} },
    { email: 'ADA@example.com', profile: {} },
    { email: 'c@example.com', phone: '+33612345678', profile: {} },
    { id: other, email: 'd@example.com', identities: [{ provider: 'apple', subject: 'd' }, ...google], profile: {} },
    { email: 'd@example.com', identities: [{ provider: 'apple', subject: 'd' }] },
  ]
  const first = await importInto(service, tenant, file)
  const codes = (errors: typeof first.errors) => errors.map(({ line, code }) => `${line} ${code}`)
  const taken = [
    '2 USER_ALREADY_EXISTS',
    '3 EMAIL_ALREADY_REGISTERED',
    '4 PHONE_ALREADY_REGISTERED',
    '5 IDENTITY_LINKED_ELSEWHERE',
  ]
  assert.deepEqual(codes(first.errors), taken)
  assert.deepEqual(await emailsOf(tenant), ['ada@example.com', 'd@example.com'])
  const again = await changesNothing(service, () => importInto(service, tenant, file))
  const known = ['1 USER_ALREADY_EXISTS', ...taken, '6 IDENTITY_LINKED_ELSEWHERE']
  assert.deepEqual([codes(again.errors), again.counts], [known, { read: 6, imported: 0, failed: 6 }])
})

test('a row may have the address of an earlier row that was refused', async () => {
  const tenant = await service.addTenant()
  const components = [{ name: 'member', type: 'text' as const, unique: true }]
  await service.admin.publishProfileSchema(tenant, { components })
  const email = 'ada@example.com'
  const { errors } = await importInto(service, tenant, [
    { email: 'b@example.com', profile: { member: 'A-1' } },
    { email, profile: { member: 'A-1' } },
    { email, profile: { member: 'A-2' } },
    { email, profile: { member: 'A-3' } },
  ])
  assert.deepEqual(
    errors.map(({ line, code }) => `${line} ${code}`),
    ['2 VALIDATION_ERROR', '4 EMAIL_ALREADY_REGISTERED'],
  )
})

test('begins each row of a batch without waiting for the row before it', async () => {
  const tenant = await newTenant()
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: ulid(n), email: `${n}@example.com`, profile: {} }))
  statements = []
  await importInto(service, tenant, rows)
  const steps = statements.filter((name) => name === 'user.find' || name === 'user.add')
  // Answers of PostgreSQL may come in parts, so the later steps are in no order.
  assert.deepEqual(steps.slice(0, 20), Array(20).fill('user.find'))
  assert.equal(steps.length, 40)
})

test('links an account at a provider once, even if the row repeats it', async () => {
  const tenant = await newTenant()
  const twice = ['first@example.com', 'second@example.com'].map((email) => ({
    provider: 'google',
    subject: 'g',
    email,
  }))
  const { counts } = await importInto(service, tenant, [{ identities: twice }])
  assert.equal(counts.imported, 1)
  const { email } = storedRow(service, 'SELECT email FROM identities WHERE tenant_id = ?', tenant.tenantId)
  assert.equal(email, 'second@example.com')
})

test('stores and reports each row of a retried batch once', async () => {
  const tenant = await newTenant()
  const row = (n: number) => ({
    email: `${Math.min(n, 148)}@example.com`,
    profile: {},
    identities: [{ provider: 'google', subject: `${Math.min(n, 148)}` }],
  })
  for (const name of ['user.add', 'identity.add', 'profile.add']) conflicts.add(name)
  const { counts, errors } = await importInto(
    service,
    tenant,
    Array.from({ length: 150 }, (_, n) => row(n)),
  )
  assert.equal(conflicts.size, 0)
  assert.deepEqual([counts, errors.map(({ line }) => line)], [{ read: 150, imported: 149, failed: 1 }, [150]])
  assert.equal((await usersOf(tenant)).length, 149)
})
