import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { eachTenant } from './tenant-pass.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('forgets what earlier passes remember of tenants that were deleted since', async () => {
  const { storage } = service.service.services
  const [kept, deleted, failing] = [await service.addTenant(), await service.addTenant(), await service.addTenant()]
  const known = new Map<string, string>()
  const remember = () => eachTenant(storage, async ({ id }) => void known.set(id, 'done'), known)
  await remember()
  assert.deepEqual(
    [kept, deleted, failing].filter(({ tenantId }) => !known.has(tenantId)),
    [],
  )
  await service.admin.deleteTenant({ tenantId: deleted.tenantId })
  const before = known.size
  const pass = eachTenant(
    storage,
    ({ id }) => (id === failing.tenantId ? Promise.reject(new Error()) : Promise.resolve()),
    known,
  )
  await assert.rejects(pass, { name: 'TenantsFailed' })
  assert.deepEqual([known.size, known.has(deleted.tenantId)], [before - 1, false])
})
