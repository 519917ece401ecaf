import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from './config.testkit.ts'
import { readConfig } from './read-config.ts'

test('the share of sealing is 5 % unless TENANTRY_EVENT_SHARE is set to 1 to 50', () => {
  assert.equal(readConfig({}).eventShare, 5)
  for (const share of ['1', '50']) assert.equal(readConfig({ TENANTRY_EVENT_SHARE: share }).eventShare, Number(share))
  for (const share of ['0', '51', '-1', '5%', '2.5', 'all'])
    assert.match(problemsOf({ TENANTRY_EVENT_SHARE: share }).join(), /^TENANTRY_EVENT_SHARE: .*1.*50/, share)
})
