import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../core/ids.ts'
import { consumeRefusal, nextResendAt, type Otp, resendRefusal, verifyRefusal } from '../../otp/otp.ts'
import type { OtpStore, Outcome } from '../../otp/otp-store.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, messageOf, newTenant, otpOf, t0 } from './samples.testkit.ts'

interface Change {
  run(store: OtpStore, otp: Otp, now: number): Promise<Outcome>
  refusal(otp: Otp, now: number): unknown
  after(otp: Otp, now: number): Partial<Otp>
}

/** Each conditional change with the rule that explains it. */
const changes: Record<string, Change> = {
  resend: {
    run: (store, { id, scope }, now) => store.resend(id, scope, now, messageOf()),
    refusal: resendRefusal,
    after: (otp, now) => ({ resendCount: otp.resendCount + 1, lastSentAt: now }),
  },
  lockPending: {
    run: (store, { id, scope }, now) => store.lockPending(id, scope, now),
    refusal: verifyRefusal,
    after: () => ({}),
  },
  verify: {
    run: (store, otp, now) => store.verify(otp, now),
    refusal: verifyRefusal,
    after: () => ({ state: 'verified', sealedCode: null }),
  },
  countWrongCode: {
    run: (store, { id, scope }, now) => store.countWrongCode(id, scope, now),
    refusal: verifyRefusal,
    after: (otp) => {
      const wrongCodes = otp.wrongCodes + 1
      return wrongCodes < otp.maxVerifyAttempts ? { wrongCodes } : { wrongCodes, state: 'locked', sealedCode: null }
    },
  },
  consume: {
    run: (store, { id, scope }, now) => store.consume(id, scope, now),
    refusal: consumeRefusal,
    after: () => ({ state: 'consumed' }),
  },
}

const states = ['pending', 'verified', 'consumed', 'locked', 'cancelled'] as const

/**
 * state × resends × wrong codes, each at a millisecond before, at and after both boundaries of time; and without an
 * interval, when the process that sent before was ahead of this one.
 */
function* cases(): Generator<{ otp: Otp; now: number }> {
  yield { otp: otpOf({ resendIntervalSeconds: 0 }), now: t0 - 1 }
  for (const state of states) {
    for (const resendCount of [0, 1, 2]) {
      for (const wrongCodes of [0, 1, 2]) {
        const sample = otpOf({ maxResends: 2, maxVerifyAttempts: 3 })
        for (const boundary of [nextResendAt(sample), sample.expiresAt]) {
          for (const offset of [-1, 0, 1]) {
            const otp = otpOf({ state, resendCount, wrongCodes, maxResends: 2, maxVerifyAttempts: 3 })
            yield { otp, now: boundary + offset }
          }
        }
      }
    }
  }
}

/** One-time passwords: SQL allows what the rules allow, one call at a time and many at once. */
export function otpTests(open: OpenStorage): void {
  for (const [name, change] of Object.entries(changes)) {
    test(`${name} follows the rules in every state, count and time`, async () => {
      const { storage, close } = await open()
      const { otps } = await newTenant(storage)
      const judge = async ({ otp, now }: { otp: Otp; now: number }) => {
        await otps.issue(otp, messageOf())
        const outcome = await change.run(otps, otp, now)
        const applied = change.refusal(otp, now) === null
        const after = applied ? { ...otp, ...change.after(otp, now) } : otp
        assert.deepEqual(outcome, { applied, otp: after }, `${JSON.stringify(otp)} at ${now - t0}`)
        assert.deepEqual(await otps.find(otp.id, otp.scope), after)
        return applied
      }
      const applied = await Promise.all(Array.from(cases(), judge))
      assert.ok(applied.includes(true) && applied.includes(false))
      await close()
    })
  }

  test('finds an OTP by its id and scope only', async () => {
    const { storage, close } = await open()
    const { otps } = await newTenant(storage)
    const otp = otpOf({ userId: 'someone', decoy: true, scope: 'otp_signin', deliveryMethod: 'sms' })
    await otps.issue(otp, messageOf())
    assert.deepEqual(await otps.find(otp.id, 'otp_signin'), otp)
    assert.equal(await otps.find(otp.id, 'reset_password'), null)
    assert.deepEqual(await otps.verify({ ...otp, scope: 'reset_password' }, t0), { applied: false, otp: null })
    assert.deepEqual(await otps.resend(ulid(t0), 'otp_signin', t0, messageOf()), { applied: false, otp: null })
    await close()
  })

  test('of 64 resends at once, one applies and queues one message', async () => {
    const { storage, dump, close } = await open()
    const { otps } = await newTenant(storage)
    const otp = otpOf()
    await otps.issue(otp, messageOf())
    const now = nextResendAt(otp)
    const outcomes = await atOnce(64, () => otps.resend(otp.id, otp.scope, now, messageOf()))
    assert.equal(outcomes.filter(({ applied }) => applied).length, 1)
    for (const { otp } of outcomes) assert.equal(otp?.resendCount, 1)
    assert.equal((await dump())['outbox']?.length, 2)
    await close()
  })

  test('of 64 wrong codes at once, the allowed number counts and the last one locks the OTP and erases the code', async () => {
    const { storage, close } = await open()
    const { otps } = await newTenant(storage)
    const otp = otpOf()
    await otps.issue(otp, messageOf())
    const outcomes = await atOnce(64, () => otps.countWrongCode(otp.id, otp.scope, t0))
    assert.equal(outcomes.filter(({ applied }) => applied).length, otp.maxVerifyAttempts)
    assert.deepEqual(await otps.find(otp.id, otp.scope), { ...otp, wrongCodes: 5, state: 'locked', sealedCode: null })
    await close()
  })

  test('of 64 transactions that lock one OTP and count a wrong code at once, each sees those before it', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const otp = otpOf()
    await tenant.otps.issue(otp, messageOf())
    const { id, scope } = otp
    const seen = await atOnce(64, () =>
      tenant.write(async (tx) => {
        const locked = await tx.otps.lockPending(id, scope, t0)
        if (!locked.applied) return null
        await tx.otps.countWrongCode(id, scope, t0)
        return locked.otp!.wrongCodes
      }),
    )
    assert.deepEqual(seen.filter((count) => count !== null).sort(), [0, 1, 2, 3, 4])
    await close()
  })

  test('of 64 transactions that consume one OTP at once, one commits', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const otp = otpOf({ state: 'verified' })
    await tenant.otps.issue(otp, messageOf())
    const won = await atOnce(64, () =>
      tenant.write(async (tx) => (await tx.otps.consume(otp.id, otp.scope, t0)).applied),
    )
    assert.equal(won.filter(Boolean).length, 1)
    await close()
  })

  test('cancelLive cancels the user’s live OTPs, and no others', async () => {
    const { storage, close } = await open()
    const { otps } = await newTenant(storage)
    const of = (changes: Partial<Otp>) => otpOf({ userId: 'someone', ...changes })
    const signIn = of({ scope: 'otp_signin' })
    const live = [of({}), of({ state: 'verified' }), of({ state: 'locked' }), of({ sessionId: 'session' })]
    const undo = of({ scope: 'address_recovery', hadPassword: true })
    const dead = [
      of({ state: 'consumed' }),
      of({ state: 'cancelled' }),
      of({ expiresAt: t0 + 5 }),
      of({ userId: 'else' }),
    ]
    for (const otp of [signIn, undo, ...live, ...dead]) await otps.issue(otp, messageOf())
    await otps.cancelLive('someone', t0 + 5)
    for (const { id, scope, ...otp } of [signIn, ...live]) {
      assert.deepEqual(await otps.find(id, scope), { id, scope, ...otp, state: 'cancelled', sealedCode: null })
    }
    for (const otp of [undo, ...dead]) assert.deepEqual(await otps.find(otp.id, otp.scope), otp)
    await close()
  })

  test('lists a user’s OTPs oldest first, including those attributed later', async () => {
    const { storage, close } = await open()
    const { otps } = await newTenant(storage)
    const second = otpOf({ userId: 'someone', createdAt: t0 + 1, state: 'consumed' })
    const first = otpOf({ userId: 'someone', scope: 'otp_signin' })
    const [toAddress, other] = [otpOf({ createdAt: t0 + 2 }), otpOf({ userId: 'else' })]
    for (const otp of [second, first, toAddress, other]) await otps.issue(otp, messageOf())
    assert.deepEqual(await otps.listOf('someone'), [first, second])
    await otps.attribute(toAddress.id, { userId: 'someone', sessionId: 's' })
    assert.deepEqual(await otps.listOf('someone'), [first, second, { ...toAddress, userId: 'someone', sessionId: 's' }])
    assert.deepEqual(await otps.listOf('else'), [other])
    assert.deepEqual(await otps.listOf('nobody'), [])
    await close()
  })

  test('forgetRecipients erases the recipients of a user’s OTPs and changes nothing else', async () => {
    const { storage, dump, close } = await open()
    const { otps } = await newTenant(storage)
    const about = states.map((state) => otpOf({ userId: 'someone', state, recipient: 'forgotten@example.com' }))
    const other = otpOf({ userId: 'else', recipient: 'kept@example.com' })
    for (const otp of [...about, other]) await otps.issue(otp, messageOf())
    await otps.forgetRecipients('someone')
    for (const otp of about) assert.deepEqual(await otps.find(otp.id, otp.scope), { ...otp, recipient: '' })
    assert.deepEqual(await otps.find(other.id, other.scope), other)
    assert.ok(!JSON.stringify((await dump())['otps']).includes('forgotten@'))
    await close()
  })
}
