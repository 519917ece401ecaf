import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { rollingRestarts } from '../campaign/stops/rolling-restarts.ts'
import { describeTally } from '../campaign/stops/stop.ts'

test('no request fails while two servers behind a health-checking proxy restart in turn', async (t) => {
  const steps = recordSteps()
  const report = await rollingRestarts(2, 20260311, steps)
  steps.assertEach(2)
  t.diagnostic(describeTally(report))
  assert.deepEqual(report.failed, [])
  assert.ok(report.answered > 100)
})
