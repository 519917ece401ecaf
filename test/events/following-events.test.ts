import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { RecordedEvent } from '../../contract/events.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { type EventReader, listen } from '../support/events/event-reader.ts'
import { queuedEvent, sealEvents } from '../support/events/sealed-events.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A service with a tenant, and readers that disconnect at the end of the test. */
async function start(t: TestContext) {
  const service = await startTestService()
  const { tenantId } = await service.addTenant()
  await service.service.services.events.drain()
  const readers: EventReader[] = []
  t.after(async () => {
    for (const reader of readers) reader.leave()
    await service.close()
  })
  const authorization = `Bearer ${service.adminKey}`
  const path = `/admin/tenants/${tenantId}/events/stream`
  async function follow(query = '', lastEventId?: string, line = path): Promise<EventReader> {
    const headers = { authorization, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
    const reader = await listen(service.baseUrl + line + query, headers)
    readers.push(reader)
    return reader
  }
  const seal = (count: number, batchSize = count) => sealEvents(service, tenantId, Array(count).fill({}), batchSize)
  const get = (query: string) => request(service, `GET ${path}${query}`, { headers: { authorization } })
  return { service, tenantId, follow, seal, get }
}

const ids = (events: readonly { data: { id: string } }[]) => events.map(({ data }) => data.id)

test('sends each event once it is sealed, with its sequence as event id', async (t) => {
  const { service, tenantId, follow } = await start(t)
  const reader = await follow()
  assert.equal(reader.status, 200)
  service.clock.advance(1)
  const queued = queuedEvent(service)
  await service.service.services.storage.forTenant(tenantId).events.add(queued)
  await service.service.services.events.drain()
  const [event] = await reader.take(1)
  const { items } = await service.admin.listEvents({ tenantId }, { limit: '1' })
  assert.equal(items[0]?.id, queued.id)
  assert.deepEqual(event, { id: String(items[0]?.sequence), event: 'event', data: items[0] })
  assert.deepEqual(RecordedEvent.parse(event?.data), event?.data)
  assert.deepEqual(reader.left, [])
})

test('is woken when this process seals', async (t) => {
  const { follow, seal } = await start(t)
  const readers = await Promise.all([follow(), follow()])
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const since = performance.now()
    await seal(1)
    await Promise.all(readers.map((reader) => reader.take(1)))
    times.push(performance.now() - since)
  }
  // A stream that only polls waits half a second on average.
  assert.ok(times.toSorted((a, b) => a - b)[2]! < 400, `${times}`)
})

test('sends events that another process sealed', async (t) => {
  const { service, tenantId, follow } = await start(t)
  const reader = await follow()
  await using other = await startTestService({ database: service.database, masterKeys: service.masterKeys })
  const [sealed] = await sealEvents(other, tenantId, [{}])
  assert.deepEqual(ids(await reader.take(1)), [sealed!.id])
})

test('continues after any event, without gaps or duplicates', async (t) => {
  const { follow, seal } = await start(t)
  const live = await follow()
  const sealed = await seal(450, 90)
  const events = await live.take(450)
  assert.deepEqual(
    ids(events),
    sealed.map(({ id }) => id),
  )
  for (const seen of [0, 1, 199, 200, 448]) {
    const reader = await follow('', events[seen]!.id)
    assert.deepEqual(ids(await reader.take(449 - seen)), ids(events).slice(seen + 1))
    assert.deepEqual(reader.left, [])
  }
  const byQuery = await follow(`?lastEventId=${events[447]!.id}`)
  assert.deepEqual(ids(await byQuery.take(2)), ids(events).slice(448))
  const byHeader = await follow(`?lastEventId=${events[0]!.id}`, events[448]!.id)
  assert.deepEqual(ids(await byHeader.take(1)), ids(events).slice(449))
})

test('sends what is sealed in place of events that a failover lost', async (t) => {
  const { service, tenantId, follow, seal } = await start(t)
  const reader = await follow()
  await seal(2)
  await reader.take(2)
  const { batch, sequence, hash } = await service.service.services.storage.forTenant(tenantId).eventLog.head()
  await seal(3, 1)
  await reader.take(3)
  await writeStored(service, 'DELETE FROM events WHERE tenant_id = ? AND batch > ?', tenantId, batch)
  await writeStored(service, 'DELETE FROM event_batches WHERE tenant_id = ? AND batch > ?', tenantId, batch)
  const setHead = 'UPDATE event_heads SET batch = ?, sequence = ?, hash = ? WHERE tenant_id = ?'
  await writeStored(service, setHead, batch, sequence, hash, tenantId)
  const sealed = await seal(5, 1)
  assert.deepEqual(
    ids(await reader.take(5)),
    sealed.map(({ id }) => id),
  )
  assert.deepEqual(reader.left, [])
})

test('an id beyond the end of the log starts with the next event, 0 with the first', async (t) => {
  const { follow, seal } = await start(t)
  const [first] = await seal(1)
  const beyond = await follow('', '999999999')
  const all = await follow('', '0')
  const [next] = await seal(1)
  assert.deepEqual(ids(await beyond.take(1)), [next!.id])
  const sequence = Number((await all.take(1))[0]!.id)
  assert.equal(sequence, 1)
  const rest: string[] = []
  while (!rest.includes(next!.id)) rest.push(...ids(await all.take(1)))
  assert.ok(rest.includes(first!.id))
})

test('refuses ids that are no sequence, unknown parameters and unknown tenants', async (t) => {
  const { service, get } = await start(t)
  for (const id of ['x', '-1', '1.5', '01', '1e3', '9999999999999999', '%00', '1%20']) {
    const { status, body } = await get(`?lastEventId=${id}`)
    assert.deepEqual([status, body.error.validation], [400, { lastEventId: 'Validation rule not met' }], id)
  }
  assert.equal((await get('?type=session.*')).body.error.validation.type, 'Unknown parameter')
  const headers = { authorization: `Bearer ${service.adminKey}` }
  const unknown = await request(service, 'GET /admin/tenants/unknown/events/stream', { headers })
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'TENANT_NOT_FOUND'])
  const without = await request(service, 'GET /admin/events/stream')
  assert.deepEqual([without.status, without.body.error.code], [401, 'MISSING_ADMIN_KEY'])
})

test('each log has its own stream', async (t) => {
  const { service, follow, seal } = await start(t)
  const tenants = await follow()
  const deployments = await follow('', undefined, '/admin/events/stream')
  const [ofTenant] = await seal(1)
  const [ofDeployment] = await sealEvents(service, null, [{ type: 'operator.revoked' }])
  assert.deepEqual(ids(await tenants.take(1)), [ofTenant!.id])
  const [event] = await deployments.take(1)
  assert.deepEqual([event?.data.id, event?.data.tenantId], [ofDeployment!.id, null])
  assert.deepEqual([tenants.left, deployments.left], [[], []])
})

test('ends when the operator is revoked, loses the scope or the tenant, or gets another key', async (t) => {
  const { service, tenantId, seal } = await start(t)
  const other = await service.addTenant()
  const { operators } = service.service.services.storage.system
  const ways: Record<string, (id: string) => Promise<unknown>> = {
    revoked: (operatorId) => service.admin.revokeOperator({ operatorId }),
    'without the scope': (operatorId) => service.admin.updateOperator({ operatorId }, { scopes: ['users:read'] }),
    'without the tenant': (operatorId) => service.admin.updateOperator({ operatorId }, { tenantIds: [other.tenantId] }),
    rotated: (id) => operators.rotate(id, 'ab'.repeat(32), null),
  }
  for (const [way, change] of Object.entries(ways)) {
    const { id, key } = await service.admin.createOperator({
      name: way,
      scopes: ['events:read'],
      tenantIds: [tenantId],
    })
    const path = `${service.baseUrl}/admin/tenants/${tenantId}/events/stream`
    const reader = await listen(path, { authorization: `Bearer ${key}` })
    await seal(1)
    assert.equal((await reader.take(1)).length, 1, way)
    await change(id)
    await seal(1)
    await reader.ended
    assert.deepEqual(reader.left, [], way)
  }
})

test('ends when its tenant is deleted, before the log is erased', async (t) => {
  const { service, tenantId, follow, seal } = await start(t)
  const deployments = await follow('', undefined, '/admin/events/stream')
  const reader = await follow()
  await seal(1)
  await reader.take(1)
  await service.admin.deleteTenant({ tenantId })
  await until(() => reader.isWhole())
  service.clock.advance(10 * 60_000)
  await service.service.services.housekeeping.run()
  assert.deepEqual(service.database.ask('SELECT sequence FROM events WHERE tenant_id = ?', tenantId), [])
  assert.deepEqual(reader.left, [])
  await service.service.services.events.drain()
  assert.equal((await deployments.take(1))[0]?.data.type, 'tenant.deleted')
  assert.doesNotMatch(service.log.join(''), /EVENT_LOG_DAMAGED|invalid value/)
})

test('ends at shutdown', async (t) => {
  const { service, follow } = await start(t)
  const reader = await follow()
  const closing = service.close()
  await reader.ended
  assert.ok(reader.isWhole())
  await closing
})
