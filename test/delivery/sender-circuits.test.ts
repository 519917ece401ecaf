import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferRecipients } from '../campaign/senders.ts'
import { sampleSize } from '../support/sample-size.ts'

test('does not delay other messages when a server defers some recipients, before, during and after an outage', async (t) => {
  const { ordinary, deferred, deferrals, longestRecovery } = await deferRecipients(sampleSize(3, 1), 20_261_122)
  assert.ok(deferrals > deferred, 'deferred messages were not retried')
  t.diagnostic(`${ordinary} sent at once beside ${deferred} deferred; recovered within ${longestRecovery} s`)
})
