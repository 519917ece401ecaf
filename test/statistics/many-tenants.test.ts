import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { EventLoopTurns } from '../support/event-loop-turns.ts'
import { startTestService } from '../support/service.ts'

test('the totals of the tenants of an operator are read together', async () => {
  const reads = new EventLoopTurns()
  const onStatement = (name: string): void => {
    if (name === 'count.totals') reads.note()
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const tenantIds: string[] = []
  for (let n = 0; n < 5; n++) tenantIds.push((await service.addTenant()).tenantId)
  const { key } = await service.admin.createOperator({ name: 'Bound', scopes: ['tenants:read'], tenantIds })
  const { totals } = await createTenantryAdmin({ baseUrl: service.baseUrl, adminKey: key }).getStatistics()
  assert.equal(totals.tenants, 5)
  assert.deepEqual([reads.calls, reads.turns], [5, 1])
})
