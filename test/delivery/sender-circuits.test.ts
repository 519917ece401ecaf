import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordSteps } from '../campaign/recorded-steps.ts'
import { deferRecipients } from '../campaign/senders.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

test('does not delay other messages when a server defers some recipients, before, during and after an outage', async (t) => {
  const rounds = sampleSize(3, 1)
  const steps = recordSteps()
  const report = await deferRecipients(rounds, 20_261_122, steps.watch)
  steps.assertEach(rounds)
  const { ordinary, deferred, deferrals, longestRecovery } = report
  assert.ok(deferrals > deferred, 'deferred messages were not retried')
  t.diagnostic(`${ordinary} sent at once beside ${deferred} deferred; recovered within ${longestRecovery} s`)
})
