import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { scrape } from '../support/scrape.ts'
import { queuedEvent } from '../support/sealed-events.ts'
import { startTestService } from '../support/service.ts'

test('a process that is busy with requests spends its share on sealing, even if no write waits', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const { events, storage } = service.service.services
  await events.drain()
  await storage.forTenant(tenantId).write(async (tx) => {
    for (let count = 0; count < 20_000; count++) await tx.events.add(queuedEvent(service))
  })
  let stops = false
  const requests = Array.from({ length: 2 }, async () => {
    while (!stops) await (await fetch(`${service.baseUrl}/healthz`)).arrayBuffer()
  })
  await pause(200)
  const before = await scrape(service)
  const startedAt = performance.now()
  events.start()
  await pause(2_000)
  const after = await scrape(service)
  const elapsed = (performance.now() - startedAt) / 1_000
  stops = true
  await Promise.all(requests)
  const grown = (name: string) => after.value(name)! - before.value(name)!
  // Of the time that passed, so that a busy machine slows down both.
  const share = grown('tenantry_event_sealing_seconds_total') / elapsed
  assert.ok(share < 0.1, `sealing took ${(share * 100).toFixed(0)} % of the time instead of 5`)
  const [sealed, transactions] = [grown('tenantry_events_sealed_total'), grown('tenantry_event_batches_total')]
  assert.ok(sealed > 0 && sealed / transactions <= 200, `${sealed} events in ${transactions} transactions`)
})
