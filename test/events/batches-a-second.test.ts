import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestService } from '../support/service.ts'

test('while acts follow each other, two batches are sealed a second, because each is stored for good', async () => {
  await using service = await startTestService({ sealsEvents: true })
  const { tenantId } = await service.addTenant()
  const { events } = service.service.services
  await events.drain()
  const sealedAt: number[] = []
  events.watch(() => void sealedAt.push(performance.now()))
  for (let act = 0; sealedAt.length < 3; act++) {
    await service.admin.updateTenant({ tenantId }, { name: `Name ${act}` })
    await pause(20)
  }
  const [first, second, third] = sealedAt as [number, number, number]
  // A timer may end 1 ms early, and the time is read after the one that the relay uses.
  for (const ms of [second - first, third - second]) assert.ok(ms >= 450, `${ms.toFixed(0)} ms between two batches`)
})
