import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { startTestService } from '../support/service.ts'

test('the totals of the tenants of an operator are read together', async () => {
  /** The turn of the event loop in which each read was sent: those of one turn share a round trip. */
  const turns: number[] = []
  let turn = 0
  function onStatement(name: string): void {
    if (name === 'count.totals') turns.push(turn)
    setImmediate(() => {
      turn++
    })
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const tenantIds: string[] = []
  for (let n = 0; n < 5; n++) tenantIds.push((await service.addTenant()).tenantId)
  const { key } = await service.admin.createOperator({ name: 'Bound', scopes: ['tenants:read'], tenantIds })
  const { totals } = await createTenantryAdmin({ baseUrl: service.baseUrl, adminKey: key }).getStatistics()
  assert.equal(totals.tenants, 5)
  assert.deepEqual([turns.length, new Set(turns).size], [5, 1])
})
