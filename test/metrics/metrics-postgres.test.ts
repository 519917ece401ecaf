import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { type StallingProxy, startStallingProxy } from '../support/faults/stalling-proxy.ts'
import { type Scraped, scrape } from '../support/http/scrape.ts'
import { startTestService, type TestService } from '../support/service.ts'

let server: PostgresServer
let network: StallingProxy
let service: TestService

before(async () => {
  server = await startPostgres()
  const url = new URL(await server.createDatabase())
  network = await startStallingProxy(Number(url.port))
  url.port = String(network.port)
  const timeouts = { acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 }
  const storage = await openPostgresStorage({ url: url.href, connections: 3, ...timeouts })
  service = await startTestService({ storage })
})
after(async () => {
  network.flow()
  await service.close()
  await network.close()
  await server.close()
})

const connections = (scraped: Scraped) =>
  ['used', 'idle'].map((state) => scraped.value('tenantry_database_connections', `{state="${state}"}`)!)

test('reports used, idle and awaited connections', async () => {
  const { tenants } = service.service.services.storage.system
  const read = (times: number) => Promise.all(Array.from({ length: times }, () => tenants.count()))
  let quiet = await scrape(service)
  while (connections(quiet).reduce((sum, count) => sum + count) < 3) {
    await read(100)
    quiet = await scrape(service)
  }
  const reading = read(400)
  const busy = await scrape(service)
  assert.deepEqual(connections(busy), [3, 0])
  assert.ok(busy.value('tenantry_database_waiting')! > 0)
  await reading
  const after = await scrape(service)
  assert.equal(after.value('tenantry_database_waiting'), 0)
  assert.equal(after.value('tenantry_database_up'), 1)
})

test('answers a scrape without database metrics while the database does not answer', async () => {
  network.stall()
  service.clock.advance(3_000)
  const begun = performance.now()
  const [stalled] = await Promise.all([scrape(service), scrape(service)])
  const took = performance.now() - begun
  assert.ok(took < 4_000, `${took} ms`)
  assert.equal(stalled.value('tenantry_database_up'), 0)
  assert.equal(stalled.value('tenantry_outbox_messages', '{state="queued"}'), undefined)
  assert.equal(stalled.value('tenantry_outbox_oldest_age_seconds'), undefined)
  assert.ok(stalled.names.has('tenantry_build_info'))
  network.flow()
  let recovered = await scrape(service)
  while (recovered.value('tenantry_database_up') === 0) recovered = await scrape(service)
  assert.equal(recovered.value('tenantry_outbox_messages', '{state="queued"}'), 0)
})
