import assert from 'node:assert/strict'
import { storedMessages, storedOtp } from '../../support/databases/stored-rows.ts'
import type { Random } from '../seeded-random.ts'
import { tally, turns } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

const scope = 'otp_signin'
const policy = { resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 }

async function issue(fixture: RaceFixture, random: Random, otp: Record<string, number> = policy) {
  const tenant = await fixture.tenantWith(otp)
  const { id, expiresAt } = await tenant.client.issueOtp({ scope, email: `racer-${random.below(1e9)}@example.com` })
  const code = await fixture.service.codeOf(id)
  const verify = (given: string) => ({ line: 'POST /otp/verify', key: tenant.key, body: { id, scope, code: given } })
  const resend = { line: 'POST /otp/resend', key: tenant.key, body: { id, scope } }
  return { tenant, id, code, verify, resend, expiresAt: Date.parse(expiresAt) }
}

/** Every message of the OTP was sent, one per send, each with the same code. */
async function assertSent({ service }: RaceFixture, id: string, code: string, sends: number): Promise<void> {
  await service.service.services.delivery.drain()
  assert.deepEqual(
    storedMessages(service, id).map(({ state }) => state),
    times(sends, () => 'sent'),
  )
  const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
  assert.deepEqual(
    messages.map((message) => message.code),
    times(sends, () => code),
  )
}

const wrongCodes = (code: string, count: number): string[] =>
  times(count, (index) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'))

/** D02: 50 concurrent resends after the interval: one sends, the others must wait. */
export async function resendsAfterTheInterval(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const { tenant, id, code, resend } = await issue(fixture, random)
  service.clock.advance(60_000 + random.below(60_000))
  const before = storedOtp(service, id)
  const answers = await fixture.fire(
    times(50, () => resend),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 1, OTP_RESEND_INTERVAL_NOT_EXPIRED: 49 })
  assert.deepEqual(storedOtp(service, id), { ...before, resend_count: 1, last_sent_at: service.clock.now() })
  await assertSent(fixture, id, code, 2)
  await tenant.client.verifyOtp({ id, scope, code })
}

/** D03: 50 concurrent resends with one send left: the count ends at the maximum. */
export async function resendsWithOneLeft(fixture: RaceFixture, random: Random): Promise<void> {
  const maxResends = 1 + random.below(4)
  const { id, code, resend } = await issue(fixture, random, { ...policy, resendIntervalSeconds: 0, maxResends })
  for (let sent = 1; sent < maxResends; sent++) await fixture.fire([resend], random)
  const before = storedOtp(fixture.service, id)
  assert.equal(before['resend_count'], maxResends - 1)
  const answers = await fixture.fire(
    times(50, () => resend),
    random,
  )
  assert.deepEqual(tally(answers), { 201: 1, OTP_MAX_RESENDS_REACHED: 49 })
  assert.deepEqual(storedOtp(fixture.service, id), { ...before, resend_count: maxResends })
  await assertSent(fixture, id, code, 1 + maxResends)
}

/** D04: 64 wrong codes: exactly the allowed number is judged, and then even the right code is refused. */
export async function wrongCodesBeyondTheCap(fixture: RaceFixture, random: Random): Promise<void> {
  const maxVerifyAttempts = random.pick([5, 5, 1, 3, 10])
  const { id, code, verify } = await issue(fixture, random, { ...policy, maxVerifyAttempts })
  const before = storedOtp(fixture.service, id)
  const answers = await fixture.fire(wrongCodes(code, 64).map(verify), random)
  assert.deepEqual(tally(answers), {
    OTP_INVALID_CODE: maxVerifyAttempts,
    OTP_MAX_ATTEMPTS_REACHED: 64 - maxVerifyAttempts,
  })
  const locked = { ...before, state: 'locked', wrong_codes: maxVerifyAttempts, sealed_code: null }
  assert.deepEqual(storedOtp(fixture.service, id), locked)
  assert.deepEqual(tally(await fixture.fire([verify(code)], random)), { OTP_MAX_ATTEMPTS_REACHED: 1 })
  assert.deepEqual(storedOtp(fixture.service, id), locked)
}

/**
 * D05: 63 wrong codes and the right one. The answers must fit one order: the right code is accepted if it came before
 * the cap, and later codes are refused accordingly.
 */
export async function oneRightCodeAmongWrong(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const { id, code, verify } = await issue(fixture, random)
  const codes = wrongCodes(code, 63)
  // Half of the time among the first few; otherwise it would nearly always come too late.
  const place = random.below(random.pick([10, 64]))
  codes.splice(place, 0, code)
  const wrong = await fixture.fire(codes.map(verify), random, { inOrder: true })
  const [right] = wrong.splice(place, 1)
  const counts = tally(wrong)
  const judged = counts['OTP_INVALID_CODE'] ?? 0
  const row = storedOtp(service, id)
  assert.equal(row['wrong_codes'], judged)
  assert.equal(row['sealed_code'], null)
  if (right!.outcome === '201') {
    assert.ok(judged < 5, `${judged} wrong codes were judged before the right one`)
    assert.deepEqual(counts, { ...(judged > 0 && { OTP_INVALID_CODE: judged }), OTP_ALREADY_VERIFIED: 63 - judged })
    assert.equal(row['state'], 'verified')
  } else {
    assert.equal(right!.outcome, 'OTP_MAX_ATTEMPTS_REACHED')
    assert.deepEqual(counts, { OTP_INVALID_CODE: 5, OTP_MAX_ATTEMPTS_REACHED: 58 })
    assert.equal(row['state'], 'locked')
  }
}

/** D06: the right code and a resend at once: either order, and matching messages. */
export async function verifyAgainstResend(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const { id, code, verify, resend } = await issue(fixture, random)
  service.clock.advance(60_000)
  const resends = 1 + random.below(3)
  const [verified, ...resent] = await fixture.fire([verify(code), ...times(resends, () => resend)], random)
  assert.equal(verified!.outcome, '201')
  const counts = tally(resent)
  const sent = counts['201'] ?? 0
  assert.ok(sent <= 1)
  for (const outcome of Object.keys(counts)) {
    assert.ok(['201', 'OTP_NOT_PENDING', 'OTP_RESEND_INTERVAL_NOT_EXPIRED'].includes(outcome), outcome)
  }
  if (sent === 0) assert.deepEqual(counts, { OTP_NOT_PENDING: resends })
  const { state, resend_count, sealed_code } = storedOtp(service, id)
  assert.deepEqual({ state, resend_count, sealed_code }, { state: 'verified', resend_count: sent, sealed_code: null })

  await service.service.services.delivery.drain()
  const [first, ...more] = storedMessages(service, id).map((message) => message['state'])
  assert.equal(first, 'sent')
  assert.equal(more.length, sent)
  const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
  const delivered = more.filter((state) => state === 'sent').length
  assert.ok(more.every((state) => state === 'sent' || state === 'cancelled'))
  assert.deepEqual(
    messages.map((message) => message.code),
    times(1 + delivered, () => code),
  )

  service.clock.advance(60_000)
  assert.deepEqual(tally(await fixture.fire([resend], random)), { OTP_NOT_PENDING: 1 })
}

/** D07: right codes while the clock passes the expiry: no expired code is verified. */
export async function verifyAgainstExpiry(fixture: RaceFixture, random: Random): Promise<void> {
  const { clock } = fixture.service
  const otps = []
  for (let count = 0; count < 16; count++) otps.push(await issue(fixture, random))
  const end = Math.max(...otps.map(({ expiresAt }) => expiresAt))
  clock.set(end - 1)
  const firing = fixture.fire(
    otps.map(({ verify, code }) => verify(code)),
    random,
    { whole: true },
  )
  await turns(random.below(40))
  clock.set(end)
  const answers = await firing
  for (const [index, { id, expiresAt }] of otps.entries()) {
    const { state, verified_at } = storedOtp(fixture.service, id)
    if (answers[index]!.outcome === '201') {
      assert.equal(state, 'verified')
      assert.ok((verified_at as number) < expiresAt)
    } else {
      assert.equal(answers[index]!.outcome, 'OTP_NOT_FOUND')
      assert.equal(state, 'pending')
    }
  }
  const again = await fixture.fire(
    otps.map(({ verify, code }) => verify(code)),
    random,
  )
  assert.deepEqual(tally(again), { OTP_NOT_FOUND: 16 })
}
