import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../core/ids.ts'
import { claimedMessage } from '../../otp/send-message.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, claim, messageOf, newTenant, noticeOf, otpOf, record, t0, tenantOf } from './samples.testkit.ts'

const tenantId = 'tenant'

/** The outbox: each message has one owner at a time, and none is lost. */
export function deliveryTests(open: OpenStorage): void {
  test('a message has the recipient, scope, method and expiry of its OTP, and its code while it may be sent', async () => {
    const { storage, close } = await open()
    const id = ulid(t0)
    const { otps, messages } = await newTenant(storage, { id })
    const otp = otpOf({ userId: 'someone', decoy: true, resendIntervalSeconds: 0 })
    const message = { id: ulid(t0) }
    await otps.issue(otp, messageOf(message.id))
    assert.equal(await messages.latestOf(otp.id), 'queued')
    assert.deepEqual(await claim(storage.system.outbox, 'me', t0 - 1, t0, 10), [])
    assert.deepEqual(await claim(storage.system.outbox, 'me', t0, t0 + 30_000, 10), [
      {
        ...{ ...message, tenantId: id, kind: 'otp', otpId: otp.id, scope: otp.scope, userId: 'someone' },
        ...{ deliveryMethod: 'email', recipient: otp.recipient, decoy: true, attempts: 0, sealedCode: otp.sealedCode },
        ...{ locale: 'fr', createdAt: t0, expiresAt: otp.expiresAt },
      },
    ])
    assert.equal(await messages.latestOf(otp.id), 'sending')
    await close()
  })

  test('a message stored with a lease is its owner’s until the lease expires; then it is due for everyone', async () => {
    const { storage, close } = await open()
    const { id } = tenantOf()
    const { otps, messages } = await newTenant(storage, { id })
    const { outbox } = storage.system
    const otp = otpOf({ resendIntervalSeconds: 0 })
    const lease = { owner: 'me', until: t0 + 60_000 }
    await otps.issue(otp, { id: 'issued', lease })
    await otps.resend(otp.id, otp.scope, t0 + 1, { id: 'resent', lease })
    assert.equal(await messages.latestOf(otp.id), 'sending')
    assert.deepEqual(await claim(outbox, 'another', t0 + 59_999, t0 + 90_000, 10), [])
    await record(outbox, 'another', [{ tenantId: id, id: 'issued', state: 'sent' }], t0 + 2)
    await record(outbox, 'me', [{ tenantId: id, id: 'issued', state: 'sent' }], t0 + 3)
    const issued = await messages.find('issued')
    assert.deepEqual([issued?.state, issued?.attempts, issued?.settledAt], ['sent', 1, t0 + 3])
    const claimed = await claim(outbox, 'another', t0 + 60_000, t0 + 90_000, 10)
    const first = { id: 'resent', tenantId: id, kind: 'otp', otpId: otp.id, scope: otp.scope, userId: otp.userId }
    const to = { deliveryMethod: 'email', recipient: otp.recipient, decoy: otp.decoy, locale: otp.locale } as const
    const rest = { attempts: 1, createdAt: t0 + 1, expiresAt: otp.expiresAt, sealedCode: otp.sealedCode }
    assert.deepEqual(claimed, [{ ...first, ...to, ...rest }])
    const { otp: sent } = await otps.resend(otp.id, otp.scope, t0 + 2, messageOf('queued'))
    const own = claimedMessage({ id: 'resent', lease }, id, { ...sent!, lastSentAt: t0 + 1 })
    assert.deepEqual(own, { ...claimed[0], attempts: 0 }, 'as the owner sends it itself')
    await close()
  })

  test('a claim returns no code once the OTP is no longer pending or has expired', async () => {
    const { storage, close } = await open()
    const { otps } = await newTenant(storage)
    const [verified, expired] = [otpOf(), otpOf({ expiresAt: t0 + 5 })]
    for (const otp of [verified, expired]) await otps.issue(otp, messageOf())
    await otps.verify(verified, t0)
    const claimed = await claim(storage.system.outbox, 'me', t0 + 5, t0 + 10, 10)
    assert.deepEqual(
      claimed.map(({ sealedCode }) => sealedCode),
      [null, null],
    )
    await close()
  })

  test('reads a message again while its owner holds the lease, with its code while that may be sent', async () => {
    const { storage, close } = await open()
    const { id } = tenantOf()
    const { otps, messages } = await newTenant(storage, { id })
    const { outbox } = storage.system
    const [otp, deleted] = [otpOf(), otpOf({ userId: 'deleted' })]
    const lease = { owner: 'me', until: t0 + 60_000 }
    await otps.issue(otp, { id: 'issued', lease })
    await otps.issue(deleted, { id: 'of a deleted user', lease })
    const message = { tenantId: id, id: 'issued' }
    const read = (now = t0, owner = 'me') => outbox.readAgain(message, owner, now)
    const own = claimedMessage({ id: 'issued', lease }, id, otp)
    assert.deepEqual(await read(), own)
    assert.equal(await read(t0, 'another'), null)
    assert.deepEqual(await read(otp.expiresAt), { ...own, sealedCode: null })
    await otps.verify(otp, t0)
    assert.deepEqual(await read(), { ...own, sealedCode: null })
    await record(outbox, 'me', [{ ...message, state: 'cancelled' }], t0)
    assert.equal(await read(), null)
    assert.notEqual(await outbox.readAgain({ tenantId: id, id: 'of a deleted user' }, 'me', t0), null)
    await messages.forgetRecipients('deleted')
    assert.equal(await outbox.readAgain({ tenantId: id, id: 'of a deleted user' }, 'me', t0), null)
    await close()
  })

  test('depth counts the messages to send, up to a limit, and returns the time of the oldest', async () => {
    const { storage, close } = await open()
    const { messages } = await newTenant(storage, { id: tenantId })
    const { outbox } = storage.system
    assert.deepEqual(await outbox.depth(10), { queued: 0, sending: 0, oldest: null })
    for (const later of [30, 10, 20]) await messages.notify(noticeOf({ id: `${later}`, createdAt: t0 + later }))
    assert.deepEqual(await outbox.depth(10), { queued: 3, sending: 0, oldest: t0 + 10 })
    await claim(outbox, 'me', t0 + 15, t0 + 1_000, 10)
    assert.deepEqual(await outbox.depth(10), { queued: 2, sending: 1, oldest: t0 + 10 })
    assert.deepEqual(await outbox.depth(1), { queued: 1, sending: 0, oldest: t0 + 20 }, 'what is due first')
    await record(outbox, 'me', [{ tenantId, id: '10', state: 'sent' }], t0 + 16)
    assert.deepEqual(await outbox.depth(10), { queued: 2, sending: 0, oldest: t0 + 20 })
    await close()
  })

  test('two owners claim 1,000 messages, each exactly once', async () => {
    const { storage, close } = await open()
    const { messages } = await newTenant(storage)
    await atOnce(1000, () => messages.notify(noticeOf()))
    const seen: string[] = []
    const work = async (owner: string) => {
      for (;;) {
        const claimed = await claim(storage.system.outbox, owner, t0, t0 + 30_000, 20)
        if (claimed.length === 0) return
        assert.ok(claimed.length <= 20)
        seen.push(...claimed.map(({ id }) => id))
      }
    }
    await Promise.all([work('one'), work('two'), work('one'), work('two')])
    assert.equal(seen.length, 1000)
    assert.equal(new Set(seen).size, 1000)
    await close()
  })

  test('an expired lease makes the message due again; a result without the lease is ignored', async () => {
    const { storage, dump, close } = await open()
    const { messages } = await newTenant(storage, { id: tenantId })
    const { outbox } = storage.system
    const { id } = noticeOf()
    await messages.notify(noticeOf({ id }))
    await claim(outbox, 'slow', t0, t0 + 10, 10)
    assert.deepEqual(await claim(outbox, 'quick', t0 + 9, t0 + 20, 10), [])
    const [again] = await claim(outbox, 'quick', t0 + 10, t0 + 20, 10)
    assert.deepEqual([again?.id, again?.attempts], [id, 1])
    const before = (await dump())['outbox']
    await record(outbox, 'slow', [{ tenantId, id, state: 'failed', error: 'late' }], t0 + 11)
    assert.deepEqual((await dump())['outbox'], before)
    await record(outbox, 'quick', [{ tenantId, id, state: 'sent' }], t0 + 12)
    assert.equal((await dump())['outbox']?.[0]?.['state'], 'sent')
    assert.deepEqual(await claim(outbox, 'quick', t0 + 1_000_000, t0 + 2_000_000, 10), [])
    await close()
  })

  test('releaseAll makes leased messages due at once, and no others', async () => {
    const { storage, dump, close } = await open()
    const { messages } = await newTenant(storage, { id: tenantId })
    const { outbox } = storage.system
    assert.equal(await outbox.releaseAll(t0), 0)
    for (const id of ['1', '2', '3', '4']) await messages.notify(noticeOf({ id }))
    await claim(outbox, 'dead', t0, t0 + 60_000, 10)
    const results = [
      { tenantId, id: '3', state: 'sent' },
      { tenantId, id: '4', state: 'queued', error: 'later', retryAt: t0 + 90_000 },
    ] as const
    await record(outbox, 'dead', results, t0)
    assert.equal(await outbox.releaseAll(t0 + 1), 2)
    const states = (await dump())['outbox']!.map(({ state, due_at, lease_owner }) => [state, due_at, lease_owner])
    assert.deepEqual(states, [
      ['queued', t0 + 1, null],
      ['queued', t0 + 1, null],
      ['sent', null, null],
      ['queued', t0 + 90_000, null],
    ])
    const released = await claim(outbox, 'alive', t0 + 1, t0 + 60_000, 10)
    assert.deepEqual(
      released.map(({ id, attempts }) => [id, attempts]).sort(),
      [
        ['1', 1],
        ['2', 1],
      ],
      'the attempt of the dead one counts',
    )
    await close()
  })

  test('a result marks its message as sent, failed, cancelled or queued for the next attempt', async () => {
    const { storage, dump, close } = await open()
    const { messages } = await newTenant(storage, { id: tenantId })
    const { outbox } = storage.system
    const ids = ['sent', 'failed', 'cancelled', 'queued']
    for (const id of ids) await messages.notify(noticeOf({ id }))
    await claim(outbox, 'me', t0, t0 + 10, 10)
    const sent = { tenantId, id: 'sent', state: 'sent', sender: 'smtp-1' } as const
    const failed = { tenantId, id: 'failed', state: 'failed', error: 'refused' } as const
    const queued = { tenantId, id: 'queued', state: 'queued', error: 'timed out', retryAt: t0 + 50 } as const
    await record(outbox, 'me', [sent, { tenantId, id: 'cancelled', state: 'cancelled' }, failed, queued], t0)
    const rows = (await dump())['outbox']!
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row['id'], [row['state'], row['last_error']]])), {
      ...{ sent: ['sent', null], failed: ['failed', 'refused'] },
      ...{ cancelled: ['cancelled', null], queued: ['queued', 'timed out'] },
    })
    assert.deepEqual(
      rows.map(({ id, sender }) => sender && [id, sender]).filter((named) => named !== null),
      [['sent', 'smtp-1']],
    )
    assert.deepEqual(await claim(outbox, 'me', t0 + 49, t0 + 60, 10), [])
    const claimed = await claim(outbox, 'me', t0 + 50, t0 + 60, 10)
    assert.deepEqual(
      claimed.map(({ id, attempts }) => [id, attempts]),
      [['queued', 1]],
    )
    await record(outbox, 'me', [{ tenantId, id: 'queued', state: 'sent' }], t0 + 51)
    assert.deepEqual(await claim(outbox, 'me', t0 + 100, t0 + 200, 10), [])
    await close()
  })

  test('records results and claims due messages in one call', async () => {
    const { storage, dump, close } = await open()
    const { messages } = await newTenant(storage, { id: tenantId })
    const { outbox } = storage.system
    await messages.notify(noticeOf({ id: 'first' }))
    await claim(outbox, 'me', t0, t0 + 10, 10)
    await messages.notify(noticeOf({ id: 'second' }))
    const request = { owner: 'me', now: t0 + 1, leaseUntil: t0 + 10, batch: 10 }
    const claimed = await outbox.recordAndClaim([{ tenantId, id: 'first', state: 'sent' }], request)
    assert.deepEqual(
      claimed.map(({ id }) => id),
      ['second'],
    )
    const states = (await dump())['outbox']!.map((row) => [row['id'], row['state']])
    assert.deepEqual(Object.fromEntries(states), { first: 'sent', second: 'sending' })
    await close()
  })
}
