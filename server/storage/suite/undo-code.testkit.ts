import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Otp } from '../../otp/otp.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, otpOf, t0 } from './samples.testkit.ts'

export function undoCodeTests(open: OpenStorage): void {
  test('cancel cancels the undo codes created since, but those of older addresses, and no others', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const undo = (changes: Partial<Otp>) =>
      otpOf({ userId: 'someone', scope: 'address_recovery', hadPassword: false, ...changes })
    const since = [
      undo({ createdAt: t0 + 2, addressVerifiedAt: t0 }),
      undo({ createdAt: t0 + 3, addressVerifiedAt: t0 + 1 }),
      undo({ createdAt: t0 + 3, addressVerifiedAt: null }),
    ]
    const others = [
      undo({ createdAt: t0 + 1, addressVerifiedAt: t0 }),
      undo({ createdAt: t0 + 3, addressVerifiedAt: t0 - 1 }),
      undo({ createdAt: t0 + 3, addressVerifiedAt: t0, userId: 'else' }),
      otpOf({ userId: 'someone' }),
    ]
    for (const otp of [...since, ...others]) await otps.add(otp)
    await undoCodes.cancel('someone', { madeSince: t0 + 2, notOlderThan: t0 }, t0 + 5)
    for (const { id, scope } of since) assert.equal((await otps.find(id, scope))?.state, 'cancelled')
    for (const otp of others) assert.deepEqual(await otps.find(otp.id, otp.scope), otp)
    await close()
  })

  test('cancelYounger cancels the undo codes of addresses that were verified later, and no others', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const undo = (changes: Partial<Otp>) => otpOf({ userId: 'someone', scope: 'address_recovery', ...changes })
    const younger = [undo({ addressVerifiedAt: t0 + 1 }), undo({ addressVerifiedAt: t0 + 2, state: 'locked' })]
    const others = [
      undo({ addressVerifiedAt: t0 }),
      undo({ addressVerifiedAt: t0 - 1 }),
      undo({ addressVerifiedAt: null }),
      undo({ addressVerifiedAt: t0 + 1, userId: 'else' }),
      undo({ addressVerifiedAt: t0 + 1, expiresAt: t0 + 5 }),
      otpOf({ userId: 'someone' }),
    ]
    for (const otp of [...younger, ...others]) await otps.add(otp)
    await undoCodes.cancelYounger('someone', t0, t0 + 5)
    for (const { id, scope } of younger) {
      const { state, sealedCode } = (await otps.find(id, scope))!
      assert.deepEqual({ state, sealedCode }, { state: 'cancelled', sealedCode: null })
    }
    for (const otp of others) assert.deepEqual(await otps.find(otp.id, otp.scope), otp)
    await close()
  })

  test('lostAddressVerifiedAt finds the first verification of an address that was lost', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const recipient = 'lost@example.com'
    const undo = (changes: Partial<Otp>) => otpOf({ userId: 'a', scope: 'address_recovery', recipient, ...changes })
    const at = (user: string, address = recipient) => undoCodes.lostAddressVerifiedAt(user, address, t0 + 5)
    await otps.add(undo({ addressVerifiedAt: t0 - 3, expiresAt: t0 + 5 }))
    assert.equal(await at('a'), null)
    await otps.add(undo({ addressVerifiedAt: t0 - 1 }))
    await otps.add(undo({ addressVerifiedAt: t0 - 2, state: 'cancelled' }))
    assert.equal(await at('a'), t0 - 2)
    assert.equal(await at('a', 'other@example.com'), null)
    assert.equal(await at('b'), null)
    await close()
  })

  test('canRestoreAnother finds an undo code of another address that can be used', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const recipient = 'lost@example.com'
    const undo = (userId: string, changes: Partial<Otp>) =>
      otpOf({ userId, scope: 'address_recovery', recipient, ...changes })
    await otps.add(undo('a', {}))
    assert.equal(await undoCodes.canRestoreAnother('a', 'other@example.com', t0 + 5), true)
    assert.equal(await undoCodes.canRestoreAnother('a', recipient, t0 + 5), false)
    await otps.add(undo('b', { state: 'locked' }))
    await otps.add(undo('c', { expiresAt: t0 + 5 }))
    await otps.add(otpOf({ userId: 'd', recipient }))
    for (const user of ['b', 'c', 'd', 'nobody']) {
      assert.equal(await undoCodes.canRestoreAnother(user, 'other@example.com', t0 + 5), false, user)
    }
    await close()
  })

  test('isUnproven finds a recent undo of the address without a proof in the session', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const recipient = 'back@example.com'
    const restored = { userId: 'a', recipient, since: t0 }
    const isUnproven = (changes: Partial<typeof restored> = {}, older: string | null = null) =>
      undoCodes.isUnproven({ ...restored, ...changes }, { sessionId: 'session', older })
    /** Adds a consumed one-time password, which proved a user in a session. */
    const consume = async (changes: Partial<Otp>, sessionId: string, now = t0 + 1) => {
      const otp = otpOf({ userId: 'a', recipient, scope: 'otp_signin', ...changes })
      await otps.add(otp)
      await otps.verify(otp, now)
      await otps.consume(otp.id, otp.scope, now)
      await otps.attribute(otp.id, { userId: otp.userId!, sessionId })
    }
    await otps.add(otpOf({ userId: 'a', recipient, scope: 'address_recovery' }))
    await consume({ scope: 'address_recovery', recipient: 'other@example.com' }, '')
    await consume({ scope: 'address_recovery', userId: 'b' }, '')
    await consume({ scope: 'reset_password' }, '')
    assert.equal(await isUnproven(), false, 'not undone')
    await consume({ scope: 'address_recovery' }, '')
    assert.equal(await isUnproven(), true)
    assert.equal(await isUnproven({ since: t0 + 1 }), false, 'undone before')

    await consume({}, 'other session')
    await consume({ recipient: 'other@example.com' }, 'session')
    await consume({ userId: 'b' }, 'session')
    await consume({ scope: 'reset_password' }, 'session')
    await otps.add(otpOf({ userId: 'a', recipient, scope: 'otp_signin', state: 'verified', sessionId: 'session' }))
    assert.equal(await isUnproven(), true, 'proven in no other way')
    assert.equal(await isUnproven({}, 'other@example.com'), false, 'proven by an older address')
    await consume({}, 'session')
    assert.equal(await isUnproven(), false, 'proven')
    await close()
  })

  test('isRecoveredSince finds an undo or a reset by the address that was completed since', async () => {
    const { storage, close } = await open()
    const { otps, undoCodes } = await newTenant(storage)
    const recipient = 'proof@example.com'
    const isRecovered = (userId: string, since = t0, until = t0 + 1) =>
      undoCodes.isRecoveredSince({ userId, recipient, since, until })
    const consume = async (changes: Partial<Otp>) => {
      const otp = otpOf({ recipient, ...changes })
      await otps.add(otp)
      await otps.verify(otp, t0 + 1)
      // The time of the request does not count, but the time at which it was completed.
      await otps.consume(otp.id, otp.scope, t0 - 1, t0 + 1)
    }
    for (const scope of ['address_recovery', 'reset_password'] as const) {
      const userId = `by ${scope}`
      await otps.add(otpOf({ userId, scope, recipient, state: 'verified' }))
      await consume({ userId, scope, recipient: 'other@example.com' })
      await consume({ userId: 'else', scope })
      await consume({ userId, scope: 'otp_signin' })
      assert.equal(await isRecovered(userId), false)
      await consume({ userId, scope })
      assert.equal(await isRecovered(userId), true)
      assert.equal(await isRecovered(userId, t0 + 1), false)
      assert.equal(await isRecovered(userId, t0, t0), false)
    }
    await close()
  })
}
