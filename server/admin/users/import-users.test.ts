import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedRows } from '../../../test/support/databases/stored-rows.ts'
import { finishErasures } from '../../../test/support/events/finish-erasures.ts'
import { bytesOf, exchange } from '../../../test/support/http/wire.ts'
import { importInto, read } from '../../../test/support/import-into.ts'
import { refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'

let service: TestService
before(async () => {
  service = await startTestService()
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

test('reports progress every thousand rows', async () => {
  const rows = Array.from({ length: 2100 }, (_, n) =>
    n % 700 === 0 ? { email: 'wrong' } : { email: `p${n}@example.com` },
  )
  const { progress, counts } = await importInto(service, await newTenant(), rows)
  assert.deepEqual(progress, [
    { read: 1000, imported: 998, failed: 2 },
    { read: 2000, imported: 1997, failed: 3 },
  ])
  assert.deepEqual(counts, { read: 2100, imported: 2097, failed: 3 })
})

test('imports the same file, with the same ids, into two tenants', async () => {
  const [a, b] = [await newTenant(), await newTenant()]
  const file = [
    { id: ulid(2), email: 'ada@example.com', identities: [{ provider: 'google', subject: 'g' }], profile: {} },
  ]
  assert.equal((await importInto(service, a, file)).counts.imported, 1)
  assert.deepEqual(await usersOf(b), [])
  assert.equal((await importInto(service, b, file)).counts.imported, 1)
  assert.equal((await usersOf(a)).length, 1)
})

test('refuses an unknown or deleted tenant before the body arrives', async () => {
  const deleted = await newTenant()
  await service.admin.deleteTenant(deleted)
  for (const tenantId of ['unknown', deleted.tenantId]) {
    const path = `/admin/tenants/${tenantId}/users/import`
    const headers = [
      ['authorization', `Bearer ${service.adminKey}`],
      ['content-type', 'application/x-ndjson'],
      ['content-length', '1000'],
    ] as const
    const { answers } = await exchange(service.baseUrl, bytesOf({ method: 'POST', path, headers }), { until: 1 })
    assert.deepEqual(
      [answers[0]?.status, (answers[0]?.json() as { error: { code: string } }).error.code],
      [404, 'TENANT_NOT_FOUND'],
    )
    await refused(read(service.admin.exportUsers({ tenantId })), 'TENANT_NOT_FOUND')
  }
})

test('stores no more rows once the tenant is deleted', async () => {
  const tenant = await newTenant()
  async function* rows() {
    for (let n = 0; n < 300; n++) {
      if (n === 150) {
        while ((await usersOf(tenant)).length < 100);
        await service.admin.deleteTenant(tenant)
      }
      yield { email: `${n}@example.com` }
    }
  }
  await refused(importInto(service, tenant, rows()), 'TENANT_NOT_FOUND')
  const stored = storedRows(service, 'SELECT email FROM users WHERE tenant_id = ? ORDER BY id', tenant.tenantId)
  assert.ok(stored.every(({ email }) => Number.parseInt(String(email), 10) < 150))
})

test('gives a user imported with the id of a deleted user none of their sessions', async () => {
  const tenant = await newTenant()
  const { accessToken, refreshToken, user } = await tenant.client.signUp({
    method: 'password',
    email: 'ada@example.com',
    password: 'long enough',
  })
  await service.admin.deleteUser({ ...tenant, userId: user.id })
  await finishErasures(service)
  assert.equal((await importInto(service, tenant, [{ id: user.id, email: 'eve@example.com' }])).counts.imported, 1)
  await refused(tenant.client.withSession(accessToken).getAccount(), 'INVALID_USER_TOKEN')
  await refused(tenant.client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
})

test('refuses the id of a deleted user until their events are erased, in a dry run too', async () => {
  const tenant = await newTenant()
  const { id: userId } = await service.admin.createUser(tenant, { email: 'ada@example.com' })
  await service.admin.deleteUser({ ...tenant, userId })
  const rows = [{ id: userId, email: 'ada@example.com' }, { email: 'bob@example.com' }]
  for (const query of [{ dryRun: 'true' }, {}] as const) {
    const { counts, errors } = await importInto(service, tenant, rows, query)
    assert.deepEqual(counts, { read: 2, imported: 1, failed: 1 })
    assert.deepEqual(
      errors.map(({ line, validation }) => [line, validation]),
      [
        [
          1,
          {
            id: 'The deletion of the user with this id is still being completed; import the row again in a few minutes',
          },
        ],
      ],
    )
  }
  await finishErasures(service)
  for (const query of [{ dryRun: 'true' }, {}] as const)
    assert.equal((await importInto(service, tenant, rows.slice(0, 1), query)).counts.imported, 1)
  assert.deepEqual(await emailsOf(tenant), ['ada@example.com', 'bob@example.com'])
})

test('records the creation of a user only if events of an earlier user with the id are stored', async () => {
  const tenant = await newTenant()
  const { id } = await service.admin.createUser(tenant, { email: 'ada@example.com' })
  await service.admin.deleteUser({ ...tenant, userId: id })
  await finishErasures(service)
  const before = await service.admin.listEvents(tenant, { type: 'user.created' })
  const rows = [
    { id, email: 'ada@example.com' },
    { id: ulid(0), email: 'bob@example.com' },
  ]
  await importInto(service, tenant, rows, { dryRun: 'true' })
  await importInto(service, tenant, rows)
  await service.service.services.events.drain()
  const { items } = await service.admin.listEvents(tenant, { type: 'user.created' })
  const added = items.slice(0, items.length - before.items.length)
  assert.deepEqual(
    added.map(({ actor, subject, changes }) => [actor.kind, subject.id, changes]),
    [['operator', id, { email: { after: 'a***@e***.com' } }]],
  )
})
