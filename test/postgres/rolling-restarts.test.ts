import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rollingRestarts } from '../campaign/rolling-restarts.ts'
import { describeTally } from '../campaign/stop.ts'

test('two servers restarted in turn behind a health-checking proxy fail no request', async (t) => {
  const report = await rollingRestarts(2, 20260311)
  t.diagnostic(describeTally(report))
  assert.deepEqual(report.failed, [])
  assert.ok(report.answered > 100)
})
