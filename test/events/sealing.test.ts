import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../support/databases/open-database.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { logsIn, verifyStoredLog } from '../support/events/stored-log.ts'
import { scrape } from '../support/http/scrape.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const queued = (database: TestDatabase) =>
  Number(database.ask('SELECT COUNT(*) AS count FROM event_queue')[0]!['count'])
const sealed = (database: TestDatabase, tenantId: string) =>
  database.ask('SELECT sequence, id, type FROM events WHERE tenant_id = ? ORDER BY sequence', tenantId)

/** Acts of the operator that are recorded in the tenant's log. */
async function actIn({ admin }: TestService, tenantId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await admin.createTenantKey({ tenantId }, { name: `key ${index}` })
}

async function assertSound(database: TestDatabase): Promise<void> {
  for (const tenantId of logsIn(database)) {
    const { faults, verified } = await verifyStoredLog(database, tenantId)
    assert.deepEqual(faults, [])
    assert.equal(verified.events, sealed(database, tenantId).length)
  }
}

test('events are sealed soon after the act, without a request for it', async () => {
  await using service = await startTestService({ sealsEvents: true })
  const { tenantId } = await service.addTenant()
  await until(() => queued(service.database) === 0 && sealed(service.database, tenantId).length > 0)
  await assertSound(service.database)
})

test('of two processes at once, each event is sealed by one', async () => {
  const database = openTestDatabase()
  await using one = await startTestService({ database, sealsEvents: true })
  const { masterKeys } = one
  await using other = await startTestService({ database, masterKeys })
  const { tenantId } = await one.addTenant()
  const draining = (async () => {
    for (let round = 0; round < 20; round++)
      await Promise.all([one, other].map(({ service }) => service.services.events.drain()))
  })()
  await Promise.all([actIn(one, tenantId, 30), actIn(other, tenantId, 30), draining])
  await Promise.all([one, other].map(({ service }) => service.services.events.drain()))
  assert.equal(queued(database), 0)
  const ids = sealed(database, tenantId).map(({ id }) => id)
  assert.ok(ids.length >= 60)
  assert.equal(new Set(ids).size, ids.length)
  await assertSound(database)
})

test('a stop seals what is queued, and the next process continues the log', async () => {
  const database = openTestDatabase()
  const first = await startTestService({ database, sealsEvents: true })
  const { masterKeys } = first
  const { tenantId } = await first.addTenant()
  await first.close()
  assert.equal(queued(database), 0)
  const before = sealed(database, tenantId).length
  const second = await startTestService({ database, masterKeys })
  await actIn(second, tenantId, 1)
  await second.service.services.events.drain()
  assert.equal(sealed(database, tenantId).length, before + 1)
  await assertSound(database)
  assert.equal(Number(database.ask('SELECT COUNT(*) AS count FROM checkpoint_keys')[0]!['count']), 1)
  await second.close()
  await database.release()
})

test('a clock that steps back neither stops sealing nor breaks the log', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { events } = service.service.services
  await events.drain()
  for (const step of [-3_600_000, 7_200_000, -1]) {
    service.clock.advance(step)
    await actIn(service, tenantId, 2)
    await events.drain()
    assert.equal(queued(service.database), 0)
  }
  await assertSound(service.database)
})

test('events of a tenant that is deleted meanwhile leave with it, and the deletion is sealed', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { events, storage, clock } = service.service.services
  await events.drain()
  await actIn(service, tenantId, 1)
  await service.admin.deleteTenant({ tenantId })
  await events.drain()
  service.clock.advance(60 * 86_400_000)
  assert.equal(await storage.system.tenants.nextDeleted(clock.now(), 0), tenantId)
  let from: number | null = 0
  while (from !== null) {
    from = await storage.system.tenants.erase(tenantId, 2, from)
    await events.drain()
  }
  await events.drain()
  assert.deepEqual(sealed(service.database, tenantId), [])
  assert.ok(!logsIn(service.database).includes(tenantId))
  await assertSound(service.database)
})

test('metrics show what is queued, how old it is, and what was sealed', async () => {
  await using service = await startTestService()
  await service.addTenant()
  const count = queued(service.database)
  service.clock.advance(5_000)
  const { value } = await scrape(service)
  assert.equal(value('tenantry_events_queued'), count)
  assert.equal(value('tenantry_events_oldest_age_seconds'), 5)
  await service.service.services.events.drain()
  service.clock.advance(5_000)
  const after = await scrape(service)
  assert.equal(after.value('tenantry_events_queued'), 0)
  assert.equal(after.value('tenantry_events_oldest_age_seconds'), 0)
  assert.equal(after.value('tenantry_events_sealed_total'), count)
  assert.ok(after.value('tenantry_event_sealing_seconds_total')! > 0)
  assert.ok(after.value('tenantry_event_batches_total')! >= 1)
})
