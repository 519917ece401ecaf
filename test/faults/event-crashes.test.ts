import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashSealing, sealOnProcesses } from '../campaign/crashes/event-crashes.ts'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

const seed = 20_261_123

test('a kill -9 while events are sealed loses and repeats none, and the logs verify (threat L08)', async (t) => {
  // The checks before a merge run samples on PostgreSQL, and 50 cycles on each engine.
  const cycles = sampleSize(50, onPostgres ? 50 : 5)
  const steps = recordSteps()
  const note = (text: string) => t.diagnostic(text)
  const { acknowledged, interrupted } = await crashSealing(cycles, seed, note, steps.watch)
  steps.assertEach(cycles)
  assert.ok(acknowledged >= cycles * 60)
  assert.ok(interrupted > 0, 'a kill hit queued events')
})

test('two processes with 64 writers each seal every event of ten tenants once (threat L08)', {
  skip: !onPostgres,
}, async () => {
  const { acknowledged } = await sealOnProcesses(2, 64, sampleSize(20, 5))
  assert.ok(acknowledged >= 128)
})
