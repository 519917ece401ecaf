import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TenantKey } from '../../contract/admin/keys.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = async () => (await service.admin.createTenant({ name: 'Test' })).id
const iso = (time: number) => new Date(time).toISOString()

async function works(key: string): Promise<boolean> {
  const client = createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key })
  return client.getTenantConfiguration().then(
    () => true,
    (error) => {
      assert.equal(error.code, 'INVALID_TENANT_KEY')
      return false
    },
  )
}

test('shows a key once, accepts it immediately, and lists it without its secret', async () => {
  const tenantId = await newTenant()
  const created = await service.admin.createTenantKey({ tenantId }, { name: 'app', kind: 'secret' })
  assert.match(created.key, /^tk_sec_/)
  assert.equal(created.key.split('_')[2], created.id)
  assert.ok(await works(created.key))
  const { items } = await service.admin.listTenantKeys({ tenantId })
  assert.equal(items.length, 1)
  assert.deepEqual(TenantKey.parse(items[0]), items[0])
  assert.deepEqual(
    { ...items[0], lastUsedAt: null },
    {
      id: created.id,
      name: 'app',
      kind: 'secret',
      createdAt: created.createdAt,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
  )
  assert.ok(!JSON.stringify(items).includes(created.key.split('_')[3]!))
})

test('creates a publishable key named default without a body', async () => {
  const created = await service.admin.createTenantKey({ tenantId: await newTenant() })
  assert.equal(created.kind, 'publishable')
  assert.equal(created.name, 'default')
})

test('expires a key to the millisecond, and refuses an expiry in the past or after the year 9999', async () => {
  const tenantId = await newTenant()
  const ends = service.clock.now() + 60_000
  const { key, expiresAt } = await service.admin.createTenantKey({ tenantId }, { expiresAt: iso(ends) })
  assert.equal(expiresAt, iso(ends))
  service.clock.set(ends - 1)
  assert.ok(await works(key))
  service.clock.set(ends)
  assert.ok(!(await works(key)))
  const late = '9999-12-31T23:59:59-14:00'
  for (const wrong of [iso(ends), iso(ends - 1), late, '1999-01-01T00:00:00Z', 'tomorrow', '2026-02-30T00:00:00Z']) {
    const refusal = { code: 'VALIDATION_ERROR', validation: { expiresAt: 'Validation rule not met' } }
    await assert.rejects(service.admin.createTenantKey({ tenantId }, { expiresAt: wrong }), refusal, wrong)
  }
  assert.equal((await service.admin.listTenantKeys({ tenantId })).items.length, 1)
})

test('accepts an expiry in another time zone', async () => {
  const zoned = '2030-06-01T12:00:00+02:00'
  const { expiresAt } = await service.admin.createTenantKey({ tenantId: await newTenant() }, { expiresAt: zoned })
  assert.equal(expiresAt, '2030-06-01T10:00:00.000Z')
})

test('refuses a revoked key immediately; revoking it again, or a key of another tenant, is 404', async () => {
  const tenantId = await newTenant()
  const { id: keyId, key } = await service.admin.createTenantKey({ tenantId })
  const other = await newTenant()
  await assert.rejects(service.admin.revokeTenantKey({ tenantId: other, keyId }), { code: 'TENANT_KEY_NOT_FOUND' })
  await assert.rejects(service.admin.rotateTenantKey({ tenantId: other, keyId }), { code: 'TENANT_KEY_NOT_FOUND' })
  assert.ok(await works(key))
  await service.admin.revokeTenantKey({ tenantId, keyId })
  assert.ok(!(await works(key)))
  await assert.rejects(service.admin.revokeTenantKey({ tenantId, keyId }), { code: 'TENANT_KEY_NOT_FOUND' })
  await assert.rejects(service.admin.rotateTenantKey({ tenantId, keyId }), { code: 'TENANT_KEY_NOT_FOUND' })
  const { items } = await service.admin.listTenantKeys({ tenantId })
  assert.deepEqual(
    items.map(({ revokedAt }) => revokedAt),
    [iso(service.clock.now())],
  )
})

test('accepts a rotated key during the overlap, one day by default', async () => {
  const tenantId = await newTenant()
  const old = await service.admin.createTenantKey({ tenantId }, { name: 'back end', kind: 'secret' })
  const rotated = await service.admin.rotateTenantKey({ tenantId, keyId: old.id })
  assert.notEqual(rotated.id, old.id)
  assert.equal(rotated.name, 'back end')
  assert.equal(rotated.kind, 'secret')
  assert.equal(rotated.expiresAt, null)
  const ends = service.clock.now() + 86_400_000
  service.clock.set(ends - 1)
  assert.ok(await works(old.key))
  service.clock.set(ends)
  assert.ok(!(await works(old.key)))
  assert.ok(await works(rotated.key))
  await assert.rejects(service.admin.rotateTenantKey({ tenantId, keyId: old.id }), { code: 'TENANT_KEY_NOT_FOUND' })
})

test('never extends a key by an overlap, and revokes it immediately without one', async () => {
  const tenantId = await newTenant()
  const ends = iso(service.clock.now() + 10_000)
  const short = await service.admin.createTenantKey({ tenantId }, { expiresAt: ends })
  await service.admin.rotateTenantKey({ tenantId, keyId: short.id }, { overlapSeconds: 3600 })
  const { items } = await service.admin.listTenantKeys({ tenantId })
  assert.equal(items.find(({ id }) => id === short.id)?.expiresAt, ends)

  const leaked = await service.admin.createTenantKey({ tenantId })
  const replaced = await service.admin.rotateTenantKey({ tenantId, keyId: leaked.id }, { overlapSeconds: 0 })
  assert.ok(!(await works(leaked.key)))
  assert.ok(await works(replaced.key))
})

test('accepts one of ten concurrent rotations without an overlap, and creates one key', async () => {
  const tenantId = await newTenant()
  const { id: keyId } = await service.admin.createTenantKey({ tenantId })
  const rotate = () => service.admin.rotateTenantKey({ tenantId, keyId }, { overlapSeconds: 0 })
  const results = await Promise.allSettled(Array.from({ length: 10 }, rotate))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'TENANT_KEY_NOT_FOUND')
  }
  const { items } = await service.admin.listTenantKeys({ tenantId })
  assert.equal(items.length, 2)
  assert.equal(items.filter(({ revokedAt }) => revokedAt === null).length, 1)
})

test('lists keys in pages', async () => {
  const tenantId = await newTenant()
  for (let count = 0; count < 3; count++) await service.admin.createTenantKey({ tenantId }, { name: `${count}` })
  const first = await service.admin.listTenantKeys({ tenantId }, { limit: '2' })
  const second = await service.admin.listTenantKeys({ tenantId }, { limit: '2', cursor: first.nextCursor! })
  assert.equal(second.nextCursor, null)
  assert.deepEqual([...first.items, ...second.items].map(({ name }) => name).sort(), ['0', '1', '2'])
})
