import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingRanges } from '../../../contract/tenants/setting-ranges.ts'
import { TenantModules } from '../../../contract/tenants/tenant-modules.ts'
import { withRange } from './with-range.ts'

test('shows the range of a number, after what the number means', () => {
  assert.equal(withRange(undefined, { min: 4, max: 10 }), '4 to 10')
  assert.equal(withRange(undefined, { min: 1, max: 3_650 }, 'days'), '1 to 3,650 days')
  assert.equal(withRange('Needs a sign-in.', { min: 60, max: 86_400 }), 'Needs a sign-in. 60 to 86,400.')
})

test('the ranges that are shown are those of the configuration', () => {
  const { otp, security, delivery, auth } = settingRanges
  const accepts = (pick: 'min' | 'max', beyond: number) =>
    TenantModules.safeParse({
      otp: Object.fromEntries(Object.entries(otp).map(([name, range]) => [name, range[pick] + beyond])),
      security: { freshSeconds: security.freshSeconds[pick] + beyond },
      delivery: { smsDailyBudget: delivery.smsDailyBudget[pick] + beyond },
      auth: { methods: [], guest: { idleDays: auth.guest.idleDays[pick] + beyond } },
    }).error?.issues.length ?? 0
  assert.deepEqual([accepts('min', 0), accepts('max', 0)], [0, 0])
  const settings = Object.keys(otp).length + 3
  assert.deepEqual([accepts('min', -1), accepts('max', 1)], [settings, settings])
})
