import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts'
import { brakeOver, french, issue, issueMany, to, verifyMany } from './sms-brake.testkit.ts'
import { smsPrefix } from './sms-brake.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const prefixes: [phone: string, prefix: string][] = [
  ['+33612345678', '+33612'],
  ['+12025550123', '+1202'],
  ['+4915123456789', '+49151'],
  ['+2901234', '+290123'],
  ['+881612345678', '+881612'],
]

for (const [phone, prefix] of prefixes) {
  test(`the prefix of ${phone} is ${prefix}`, () => assert.equal(smsPrefix(phone), prefix))
}

test('pauses a prefix for an hour after 20 codes of which none is verified', async () => {
  const { brake, pauses, log } = brakeOver(createLocalRateLimiter())
  await issueMany(brake, 0, 20)
  assert.equal(pauses(), 0)
  assert.equal(await issue(brake, 10 * MINUTE), 3600)
  assert.equal(await issue(brake, 40 * MINUTE), 1800)
  assert.equal(await issue(brake, 70 * MINUTE - 1), 1)
  assert.equal(pauses(), 1)
  assert.equal(log.length, 1)
  const { msg, tenantId, prefix, codes, verified } = JSON.parse(log[0]!)
  assert.equal(msg, 'SMS prefix paused: too few of its codes are verified')
  assert.deepEqual([tenantId, prefix, codes, verified], ['tenant', '+33612', 20, 0])
  assert.doesNotMatch(log[0]!, /\+33612\d/)
  await issueMany(brake, 70 * MINUTE, 20)
  assert.equal(await issue(brake, 70 * MINUTE), 3600)
  assert.equal(pauses(), 2)
})

test('does not count codes older than an hour', async () => {
  const { brake, pauses } = brakeOver(createLocalRateLimiter())
  await issueMany(brake, 0, 19)
  await issueMany(brake, HOUR - 1, 1)
  await issueMany(brake, HOUR, 19)
  assert.equal(await issue(brake, HOUR), 3600)
  assert.equal(pauses(), 1)
})

test('counts each tenant and each prefix separately', async () => {
  const { brake } = brakeOver(createLocalRateLimiter())
  await issueMany(brake, 0, 20)
  assert.equal(await issue(brake, 0), 3600)
  assert.equal(await issue(brake, 0, to('+33613000000')), null)
  assert.equal(await issue(brake, 0, to('+33612000000', 'another tenant')), null)
})

test('pauses with one verified code of twenty, but not with two', async () => {
  for (const [verified, expected] of [
    [1, 3600],
    [2, null],
  ] as const) {
    const { brake } = brakeOver(createLocalRateLimiter())
    await issueMany(brake, 0, 20)
    await verifyMany(brake, 0, verified)
    assert.equal(await issue(brake, MINUTE), expected)
  }
})

test('requires a tenth of any larger number of codes to be verified', async () => {
  const { brake } = brakeOver(createLocalRateLimiter())
  await issueMany(brake, 0, 20)
  await verifyMany(brake, 0, 5)
  // The 51st code: 5 of 50 are a tenth. The 52nd: 5 of 51 are fewer.
  await issueMany(brake, 0, 31)
  assert.equal(await issue(brake, 0), 3600)
})

test('ends a pause early once enough codes are verified', async () => {
  const { brake, pauses } = brakeOver(createLocalRateLimiter())
  await issueMany(brake, 0, 20)
  assert.equal(await issue(brake, 0), 3600)
  await verifyMany(brake, 0, 1)
  assert.equal(await issue(brake, MINUTE), 3540)
  await verifyMany(brake, 0, 17)
  await issueMany(brake, 2 * MINUTE, 160)
  assert.equal(pauses(), 1)
})

test('never pauses a prefix whose users verify half of their codes, however many there are', async () => {
  const { brake, pauses } = brakeOver(createLocalRateLimiter())
  for (let code = 0; code < 2_000; code++) {
    const now = code * 3_000
    await issueMany(brake, now, 1)
    if (code % 2 === 0) await verifyMany(brake, now, 1)
  }
  assert.equal(pauses(), 0)
})

test('admits exactly what the rule allows, in any order of codes, verifications and time', async () => {
  interface Code {
    readonly at: number
    verified: boolean
  }
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.constant('issue' as const) },
    { weight: 1, arbitrary: fc.nat({ max: 40 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 30 }).map((minutes) => ({ minutes })) },
  )
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 200 }), async (steps) => {
      const { brake } = brakeOver(createLocalRateLimiter())
      const codes: Code[] = []
      let now = 1_000
      let pausedUntil = 0
      for (const one of steps) {
        if (one === 'issue') {
          const ofHour = codes.filter(({ at }) => now < at + HOUR)
          const verified = ofHour.filter((code) => code.verified).length
          const isHeld = now < pausedUntil && verified < 2
          const isAdmitted = !isHeld && (ofHour.length < 20 || verified * 10 >= ofHour.length)
          assert.equal((await issue(brake, now)) === null, isAdmitted)
          if (isAdmitted) codes.push({ at: now, verified: false })
          else if (now >= pausedUntil) pausedUntil = now + HOUR
          seen.add(isAdmitted ? (ofHour.length < 20 ? 'few' : 'verified') : isHeld ? 'paused' : 'begins')
        } else if (typeof one === 'number') {
          // Codes are valid for ten minutes.
          const code = codes.filter(({ at, verified }) => !verified && now < at + 10 * MINUTE)[one]
          if (code === undefined) continue
          code.verified = true
          await brake.countVerified(french(), code.at)
        } else now += one.minutes * MINUTE
      }
    }),
    { numRuns: sampleSize(300, 75) },
  )
  assert.deepEqual([...seen].sort(), ['begins', 'few', 'paused', 'verified'])
})

test('uses the limits of the deployment', async () => {
  const { brake } = brakeOver(
    createLocalRateLimiter(),
    'sms-prefix-codes=4/10m,sms-prefix-pause=1/5m,sms-prefix-verified=50%',
  )
  await issueMany(brake, 0, 4)
  await verifyMany(brake, 0, 1)
  assert.equal(await issue(brake, 0), 300)
  await verifyMany(brake, 0, 1)
  await issueMany(brake, 0, 1)
  assert.equal(await issue(brake, 0), 300)
})

for (const off of ['sms-prefix-codes', 'sms-prefix-pause', 'sms-prefix-verified', 'all']) {
  test(`${off}=off counts nothing`, async () => {
    const unused = (): never => assert.fail('the limiter was asked')
    const { brake } = brakeOver({ take: unused, peek: unused, giveBack: unused, clear: unused }, `${off}=off`)
    await issueMany(brake, 0, 30)
    await verifyMany(brake, 0, 1)
  })
}

test('logs a verification that cannot be counted, without refusing it', async () => {
  const fails = () => Promise.reject(new Error('the database is away'))
  const { brake, log } = brakeOver({ take: fails, peek: fails, giveBack: fails, clear: fails })
  await brake.countVerified(to('+33612345678'), 0)
  assert.match(log.join(), /failed to count a verified SMS code/)
  assert.doesNotMatch(log.join(), /\+33612/)
})
