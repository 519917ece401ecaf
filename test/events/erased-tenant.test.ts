import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployment } from '../../server/core/deployment.ts'
import type { QueuedEvent } from '../../server/events/event.ts'
import { eraseTenant } from '../../server/tenants/erase-deleted-tenants.ts'
import { queuedEvent } from '../support/events/sealed-events.ts'
import { logsIn, verifyStoredLog } from '../support/events/stored-log.ts'
import { startTestService, type TestService } from '../support/service.ts'

const DAY = 86_400_000

/** Rows of a tenant by table, except those that are kept for the deployment. */
const rowsOf = ({ database }: TestService, tenantId: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(database.everything())
      .map(
        ([table, rows]) =>
          [table, rows.filter((row) => row['tenant_id'] === tenantId || row['id'] === tenantId).length] as const,
      )
      .filter(([, count]) => count > 0),
  )

async function queue(service: TestService, tenantId: string, count: number): Promise<void> {
  const events: QueuedEvent[] = Array.from({ length: count }, () => queuedEvent(service))
  await service.service.services.storage.forTenant(tenantId).write(async (tx) => {
    for (const event of events) await tx.events.add(event)
  })
}

test('a tenant that is erased by one process while others seal its events leaves no row', async () => {
  await using service = await startTestService()
  const { database } = service
  const { events } = service.service.services
  await using other = await startTestService({ database, masterKeys: service.masterKeys })
  const eraser = await database.open()
  const staying = await service.addTenant()
  for (const size of [7, 60, 1_000]) {
    const { tenantId } = await service.addTenant()
    await queue(service, tenantId, 400)
    await queue(service, staying.tenantId, 100)
    await service.admin.deleteTenant({ tenantId })
    let isErased = false
    const sealing = [events, other.service.services.events].map(async (relay) => {
      while (!isErased) await relay.drain()
    })
    // Many small transactions, between which the others seal.
    await eraseTenant(eraser.system.tenants, tenantId, size)
    isErased = true
    await Promise.all(sealing)
    await events.drain()
    assert.deepEqual(rowsOf(service, tenantId), {}, `${size} rows at a time`)
  }
  await eraser.close()
  for (const log of logsIn(database)) assert.deepEqual((await verifyStoredLog(database, log)).faults, [], log)
  assert.deepEqual(logsIn(database), [staying.tenantId, deployment].toSorted())
})

test('events that are recorded late, while a tenant is erased, leave with it', async () => {
  await using service = await startTestService()
  const { events, storage, housekeeping } = service.service.services
  const { tenantId } = await service.addTenant()
  await queue(service, tenantId, 50)
  await service.admin.deleteTenant({ tenantId })
  // A request that was accepted before the deletion.
  await queue(service, tenantId, 50)
  await events.drain()
  await queue(service, tenantId, 1)
  service.clock.advance(DAY)
  await Promise.all([housekeeping.run(), events.drain()])
  await events.drain()
  assert.deepEqual(rowsOf(service, tenantId), {})
  assert.equal(await storage.system.tenants.nextDeleted(service.clock.now(), 0), null)
})
