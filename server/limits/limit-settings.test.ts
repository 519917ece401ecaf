import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLimits, writtenLimits } from './limit-settings.ts'

test('uses the default limits', () => {
  for (const text of [undefined, '', '  ']) {
    const limits = parseLimits(text)
    assert.deepEqual(limits.resend, { quota: 30, windowSeconds: 3600 })
    assert.deepEqual(limits['reset-password'], { quota: 10, windowSeconds: 3600 })
    assert.deepEqual(limits.profile, { quota: 30, windowSeconds: 3600 })
    assert.deepEqual(limits['otp-create'], { quota: 30, windowSeconds: 3600 })
    assert.deepEqual(limits.verify, { quota: 60, windowSeconds: 3600 })
    assert.deepEqual(limits.status, { quota: 600, windowSeconds: 3600 })
    assert.deepEqual(limits['sign-in'], { quota: 300, windowSeconds: 3600 })
    assert.deepEqual(limits['sign-up'], { quota: 100, windowSeconds: 3600 })
    assert.deepEqual(limits['codes-per-recipient'], { quota: 30, windowSeconds: 3600 })
    assert.deepEqual(limits['wrong-codes-per-network'], { quota: 100, windowSeconds: 86_400 })
    assert.deepEqual(limits['wrong-codes-per-recipient'], { quota: 300, windowSeconds: 86_400 })
    assert.deepEqual(limits['failed-passwords'], { quota: 10, windowSeconds: 900 })
    assert.deepEqual(limits['admin-key'], { quota: 30, windowSeconds: 3600 })
    assert.deepEqual(limits['sms-prefix-codes'], { quota: 20, windowSeconds: 3600 })
    assert.deepEqual(limits['sms-prefix-pause'], { quota: 1, windowSeconds: 3600 })
    assert.equal(limits['sms-prefix-verified'], 10)
  }
})

test('changes the named limits only', () => {
  const limits = parseLimits(' resend = 5/s, verify=off ,profile=7/90s,sign-in=1/2d,\n status=1000000/m,')
  assert.deepEqual(limits.resend, { quota: 5, windowSeconds: 1 })
  assert.equal(limits.verify, 'off')
  assert.deepEqual(limits.profile, { quota: 7, windowSeconds: 90 })
  assert.deepEqual(limits['sign-in'], { quota: 1, windowSeconds: 172_800 })
  assert.deepEqual(limits.status, { quota: 1_000_000, windowSeconds: 60 })
  assert.deepEqual(limits['reset-password'], { quota: 10, windowSeconds: 3600 })
})

test('reads a share as a percentage, and the pause of a prefix as one per period', () => {
  assert.equal(parseLimits('sms-prefix-verified=1%')['sms-prefix-verified'], 1)
  assert.equal(parseLimits('sms-prefix-verified = 100%')['sms-prefix-verified'], 100)
  assert.equal(parseLimits('sms-prefix-verified=off')['sms-prefix-verified'], 'off')
  assert.equal(parseLimits('all=off,sms-prefix-verified=25%')['sms-prefix-verified'], 25)
  assert.deepEqual(parseLimits('sms-prefix-pause=1/30m')['sms-prefix-pause'], { quota: 1, windowSeconds: 1800 })
})

test('turns off all limits that are not named with all=off, in any position', () => {
  assert.ok(Object.values(parseLimits('all=off')).every((limit) => limit === 'off'))
  for (const text of ['all=off,resend=5/h', 'resend=5/h,all=off']) {
    const { resend, ...others } = parseLimits(text)
    assert.deepEqual(resend, { quota: 5, windowSeconds: 3600 })
    assert.ok(Object.values(others).every((limit) => limit === 'off'))
  }
})

test('writes limits as they are set, each period in its largest unit', () => {
  const { resend, verify, profile, status, ...others } = writtenLimits(
    parseLimits('all=off,resend=30/60m,verify=10/15m,profile=7/90s,status=1/31d,sms-prefix-verified=10%'),
  )
  assert.deepEqual([resend, verify, profile, status], ['30/h', '10/15m', '7/90s', '1/31d'])
  assert.equal(others['sms-prefix-verified'], '10%')
  assert.equal(others['sign-in'], 'off')
})

const refusals: [text: string, message: RegExp][] = [
  [
    'resnd=30/h',
    /TENANTRY_LIMITS: unknown limit "resnd"\. The limits are: resend, reset-password, .*sms-prefix-verified, and all=off/,
  ],
  ['__proto__=30/h', /unknown limit "__proto__"/],
  ['resend', /"resend" has no value; use the form resend=30\/h/],
  ['=30/h', /unknown limit ""/],
  ['resend=', /resend="" is neither off nor/],
  ['resend=30', /resend="30" is neither off nor .*like 30\/h or 10\/15m/],
  ['resend=30/w', /resend="30\/w" is neither/],
  ['resend=-1/h', /resend="-1\/h" is neither/],
  ['resend=1.5/h', /is neither/],
  ['resend=0/h', /resend="0\/h" is neither/],
  ['resend=30/0h', /is neither/],
  ['resend=30/32d', /is neither/],
  ['resend=1000001/h', /is neither/],
  ['resend=OFF', /is neither/],
  ['resend=30/h=x', /resend="30\/h=x" is neither/],
  ['resend=30/h,resend=31/h', /"resend" is set twice/],
  ['sms-prefix-pause=2/h', /sms-prefix-pause="2\/h" must be one per period, like 1\/h or 1\/30m/],
  ['sms-prefix-pause=10%', /sms-prefix-pause="10%" is neither off nor 1 to 1000000 requests/],
  ...['0%', '101%', '10', '10/h', '1.5%', '-1%', '010%', ' %', '1e1%', '10%%', 'OFF'].map((share): [string, RegExp] => [
    `sms-prefix-verified=${share}`,
    /sms-prefix-verified=".*" is neither off nor a percentage from 1% to 100%/,
  ]),
  ['resend=10%', /resend="10%" is neither/],
  ['all=30/h', /"all" can only be off, not "30\/h"/],
  ['resnd=1/h,verify=x', /unknown limit "resnd"; verify="x" is neither/],
]

for (const [text, message] of refusals) {
  test(`rejects ${text}`, () => assert.throws(() => parseLimits(text), { name: 'Error', message }))
}
