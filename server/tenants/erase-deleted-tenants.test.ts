import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedRow } from '../../test/support/databases/stored-rows.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { queuedEventOf } from '../storage/suite/samples.testkit.ts'
import { eraseTenant } from './erase-deleted-tenants.ts'

let service: TestService
let statements: string[] = []
before(async () => {
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  service = await startTestService({ hooks })
})
after(() => service.close())

async function deletedTenant(): Promise<string> {
  const { tenantId } = await service.addTenant()
  for (const email of ['ada@example.com', 'bob@example.com']) await service.admin.createUser({ tenantId }, { email })
  await service.admin.deleteTenant({ tenantId })
  await service.service.services.events.drain()
  return tenantId
}

test('looks once more, at the end, into the tables that are erased', async () => {
  const { tenants } = service.service.services.storage.system
  const tenantId = await deletedTenant()
  statements = []
  await eraseTenant(tenants, tenantId, 1)
  const times = (name: string) => statements.filter((statement) => statement === name).length
  // Two users, and twice none.
  assert.deepEqual([times('erase.users'), times('erase.inbox'), times('erase.tenants')], [4, 2, 1])
})

test('erases what is written meanwhile to a table that was erased before', async () => {
  const { storage } = service.service.services
  const { tenants } = storage.system
  const tenantId = await deletedTenant()
  statements = []
  let from: number | null = 0
  while (from !== null && !statements.includes('erase.users')) from = await tenants.erase(tenantId, 1, from)
  assert.notEqual(from, null)
  await storage.forTenant(tenantId).events.add(queuedEventOf({ id: 'late' }))
  while (from !== null) from = await tenants.erase(tenantId, 1, from)
  const left = storedRow(service, 'SELECT count(*) AS events FROM event_queue WHERE tenant_id = ?', tenantId)
  assert.deepEqual(left, { events: 0 })
})
