import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { queuedEvent } from '../support/events/sealed-events.ts'
import { scrape } from '../support/http/scrape.ts'
import { startTestService, type TestService } from '../support/service.ts'

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
  events.start()
  const ends = [await nextSealing(service)]
  while (ends.length < 4 || ends.at(-1)!.at - ends[0]!.at < 2) ends.push(await nextSealing(service))
  stops = true
  await Promise.all(requests)
  const [first, beforeLast, last] = [ends[0]!, ends.at(-2)!, ends.at(-1)!]
  // The rest after a transaction takes as many times as long as it. So the last one is left out, which has had none yet.
  const lastBegan = last.at - (last.seconds - beforeLast.seconds)
  const share = (beforeLast.seconds - first.seconds) / (lastBegan - first.at)
  assert.ok(share < 0.1, `sealing took ${(share * 100).toFixed(0)} % of the time instead of 5`)
  const [sealed, transactions] = [last.events - first.events, last.batches - first.batches]
  assert.ok(sealed > 0 && sealed / transactions <= 200, `${sealed} events in ${transactions} transactions`)
})

/** The next transaction of the relay: when it ended, in seconds, and what was sealed by then. */
async function nextSealing(service: TestService) {
  await new Promise<void>((resolve) => {
    const unwatch = service.service.services.events.watch(() => {
      unwatch()
      resolve()
    })
  })
  const at = performance.now() / 1_000
  const metrics = await scrape(service)
  return {
    at,
    seconds: metrics.value('tenantry_event_sealing_seconds_total')!,
    events: metrics.value('tenantry_events_sealed_total')!,
    batches: metrics.value('tenantry_event_batches_total')!,
  }
}
