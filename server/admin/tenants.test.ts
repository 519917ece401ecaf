import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Tenant } from '../../contract/admin/tenants.ts'
import { createTenantryAdmin, type TenantryAdminOptions } from '../../packages/client/src/admin.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('creates a tenant with the default modules and the empty profile schema, version 1', async () => {
  const { admin } = service
  const tenant = await admin.createTenant({ name: 'Acme' })
  assert.deepEqual(Tenant.parse(tenant), tenant)
  assert.deepEqual(await admin.getTenant({ tenantId: tenant.id }), tenant)
  assert.equal(tenant.suspended, false)
  assert.deepEqual(tenant.restrictedCapabilities, [])
  assert.deepEqual(await admin.readConfiguration({ tenantId: tenant.id }), {
    auth: { methods: ['password'] },
    otp: { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 },
  })
  const empty = { version: '1', components: [], presentation: [], forms: {}, migrations: [] }
  assert.deepEqual(await admin.readProfileSchema({ tenantId: tenant.id }), empty)
})

test('creates a tenant suspended and restricted; stores a repeated capability once', async () => {
  const { admin } = service
  const restrictedCapabilities = ['sign_up', 'otp', 'sign_up'] as const
  const tenant = await admin.createTenant({
    name: 'A',
    suspended: true,
    restrictedCapabilities: [...restrictedCapabilities],
  })
  assert.equal(tenant.suspended, true)
  assert.deepEqual(tenant.restrictedCapabilities, ['sign_up', 'otp'])
})

test('lists each tenant once across pages, in id order, without deleted ones', async () => {
  await using own = await startTestService()
  const made: string[] = []
  for (let count = 0; count < 7; count++) {
    own.clock.advance(1)
    made.push((await own.admin.createTenant({ name: `Tenant ${count}` })).id)
  }
  await own.admin.deleteTenant({ tenantId: made[3]! })
  const expected = made.filter((_, index) => index !== 3)

  const seen: string[] = []
  const sizes: number[] = []
  let cursor: string | undefined
  do {
    const page = await own.admin.listTenants({ limit: '2', ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ id }) => id))
    sizes.push(page.items.length)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(seen, expected)
  assert.deepEqual(sizes, [2, 2, 2])
  assert.equal((await own.admin.listTenants({ limit: '6' })).nextCursor, null)
  assert.equal((await own.admin.listTenants()).items.length, 6)
})

test('returns 50 items per page by default, at most 200', async () => {
  await using own = await startTestService()
  await Promise.all(Array.from({ length: 52 }, () => own.admin.createTenant({ name: 'x' })))
  const page = await own.admin.listTenants()
  assert.equal(page.items.length, 50)
  assert.equal((await own.admin.listTenants({ cursor: page.nextCursor! })).items.length, 2)
  assert.equal((await own.admin.listTenants({ limit: '200' })).items.length, 52)
  for (const limit of ['201', '999', '0', '-1', '1.5', 'ten', '1e2']) {
    const message = { limit: 'Validation rule not met' }
    await assert.rejects(own.admin.listTenants({ limit }), { code: 'VALIDATION_ERROR', validation: message }, limit)
  }
})

test('refuses a cursor that no page returned', async () => {
  const first = await service.admin.createTenant({ name: 'x' })
  const good = Buffer.from(first.id).toString('base64url')
  assert.ok((await service.admin.listTenants({ cursor: good })).items.every(({ id }) => id > first.id))
  const lower = Buffer.from(first.id.toLowerCase()).toString('base64url')
  for (const cursor of [
    'x',
    first.id,
    `${good}=`,
    `${good}!`,
    lower,
    Buffer.from("' OR 1=1 --").toString('base64url'),
  ]) {
    const refusal = { code: 'VALIDATION_ERROR', validation: { cursor: 'Validation rule not met' } }
    await assert.rejects(service.admin.listTenants({ cursor }), refusal, cursor)
  }
})

test('updates only the given members', async () => {
  const { admin, clock } = service
  const { id: tenantId, ...before } = await admin.createTenant({ name: 'Before', restrictedCapabilities: ['otp'] })
  clock.advance(1000)
  const renamed = await admin.updateTenant({ tenantId }, { name: 'After' })
  assert.deepEqual(renamed, { ...before, id: tenantId, name: 'After', updatedAt: new Date(clock.now()).toISOString() })
  assert.deepEqual((await admin.updateTenant({ tenantId }, { restrictedCapabilities: [] })).restrictedCapabilities, [])
  const now = await admin.getTenant({ tenantId })
  clock.advance(1000)
  assert.deepEqual(await admin.updateTenant({ tenantId }, {}), now)
})

test('applies restriction, suspension and resumption from the next call on', async () => {
  const { admin } = service
  const { tenantId, client } = await service.addTenant()
  const challenge = () => client.resetPassword({ step: 'challenge', email: 'unknown@example.com' })
  await assert.rejects(challenge(), { code: 'RESET_PASSWORD_USER_NOT_FOUND' })
  await admin.updateTenant({ tenantId }, { restrictedCapabilities: ['reset_password'] })
  await assert.rejects(challenge(), { code: 'RESTRICTED_CAPABILITY' })
  await admin.updateTenant({ tenantId }, { restrictedCapabilities: [] })
  await assert.rejects(challenge(), { code: 'RESET_PASSWORD_USER_NOT_FOUND' })
  await admin.updateTenant({ tenantId }, { suspended: true })
  await assert.rejects(challenge(), { code: 'TENANT_SUSPENDED' })
  await admin.updateTenant({ tenantId }, { suspended: false })
  await assert.rejects(challenge(), { code: 'RESET_PASSWORD_USER_NOT_FOUND' })
})

test('answers 404 for a deleted tenant in every operation, and refuses its keys immediately', async () => {
  const { admin } = service
  const { tenantId, client, key } = await service.addTenant()
  const other = await service.addTenant()
  await client.getTenantConfiguration()
  await admin.deleteTenant({ tenantId })
  await assert.rejects(client.getTenantConfiguration(), { code: 'INVALID_TENANT_KEY' })
  const keyId = key.split('_')[2]!
  const schema = { components: [] }
  for (const path of [{ tenantId }, { tenantId: 'x' }, { tenantId: '01M7YRQNCSESKNDNW73532ZP9R' }]) {
    for (const call of [
      () => admin.getTenant(path),
      () => admin.updateTenant(path, { name: 'x' }),
      () => admin.updateTenant(path, {}),
      () => admin.deleteTenant(path),
      () => admin.readConfiguration(path),
      () => admin.replaceConfiguration(path, {}),
      () => admin.updateConfiguration(path, {}),
      () => admin.readProfileSchema(path),
      () => admin.publishProfileSchema(path, schema),
      () => admin.checkProfileSchema(path, schema),
      () => admin.createTenantKey(path),
      () => admin.listTenantKeys(path),
      () => admin.revokeTenantKey({ ...path, keyId }),
      () => admin.rotateTenantKey({ ...path, keyId }),
      () => admin.createUser(path, { email: 'a@example.com' }),
      () => admin.listUsers(path),
      () => admin.getUser({ ...path, userId: 'x' }),
      () => admin.updateUser({ ...path, userId: 'x' }, {}),
      () => admin.deleteUser({ ...path, userId: 'x' }),
    ]) {
      await assert.rejects(call(), { code: 'TENANT_NOT_FOUND', status: 404 }, String(call))
    }
  }
  await other.client.getTenantConfiguration()
})

test('answers 401 without the admin key', async () => {
  const { tenantId, key } = await service.addTenant()
  const withoutKey = createTenantryAdmin({ baseUrl: service.baseUrl } as TenantryAdminOptions)
  await assert.rejects(withoutKey.getTenant({ tenantId }), { code: 'MISSING_ADMIN_KEY' })
  const stranger = createTenantryAdmin({ baseUrl: service.baseUrl, adminKey: key })
  await assert.rejects(stranger.getTenant({ tenantId }), { code: 'INVALID_ADMIN_KEY' })
})
