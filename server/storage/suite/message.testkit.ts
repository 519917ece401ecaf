import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../core/ids.ts'
import { recoveryScope } from '../../otp/otp.ts'
import type { TenantStorage } from '../storage.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, claim, messageOf, newTenant, noticeOf, otpOf, record, t0 } from './samples.testkit.ts'

const lease = t0 + 60_000
const tenantId = 'tenant'

/** A tenant's messages as the operator sees them. */
export function messageTests(open: OpenStorage): void {
  test('a message shows everything but its content, from queued to its final state', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { otps, messages } = await newTenant(storage, { id: tenantId })
    const otp = otpOf({ scope: 'otp_signin' })
    await otps.issue(otp, messageOf('one'))
    const message = {
      ...{ id: 'one', kind: 'otp', otpId: otp.id, scope: 'otp_signin', deliveryMethod: 'email', locale: 'fr' },
      ...{ recipient: otp.recipient, state: 'queued', attempts: 0, lastError: null, sender: null },
      ...{ createdAt: t0, nextAttemptAt: t0, expiresAt: otp.expiresAt, settledAt: null },
    }
    assert.deepEqual(await messages.find('one'), message)
    await claim(outbox, 'me', t0, lease, 10)
    const sending = { ...message, state: 'sending', attempts: 1, nextAttemptAt: null }
    assert.deepEqual(await messages.find('one'), sending)
    await record(outbox, 'me', [{ tenantId, id: 'one', state: 'queued', error: 'timed out', retryAt: t0 + 5 }], t0 + 1)
    const again = { ...sending, state: 'queued', lastError: 'timed out', nextAttemptAt: t0 + 5 }
    assert.deepEqual(await messages.find('one'), again)
    await claim(outbox, 'me', t0 + 5, lease, 10)
    await record(outbox, 'me', [{ tenantId, id: 'one', state: 'sent', sender: 'smtp-2' }], t0 + 6)
    const sent = { ...sending, state: 'sent', attempts: 2, settledAt: t0 + 6, sender: 'smtp-2' }
    assert.deepEqual(await messages.find('one'), sent)
    assert.deepEqual(await messages.list({ limit: 10, cursor: null }), [sent])
    assert.equal(await messages.find('another'), null)
    await close()
  })

  test('counts the messages that wait, and those since a time that failed', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { messages } = await newTenant(storage, { id: tenantId })
    const { messages: others } = await newTenant(storage)
    const count = () => messages.count(t0)
    assert.deepEqual(await count(), { queued: 0, sending: 0, oldest: null, failed24h: 0 })
    await others.notify(noticeOf())
    const ids = [t0 - 1, t0 + 1, t0 + 2, t0 + 3, t0 + 4].map((createdAt) => ({ id: ulid(createdAt), createdAt }))
    for (const { id, createdAt } of ids) await messages.notify(noticeOf({ id, createdAt }))
    assert.deepEqual(await count(), { queued: 5, sending: 0, oldest: t0 - 1, failed24h: 0 })
    await claim(outbox, 'me', t0 + 3, lease, 10)
    assert.deepEqual(await count(), { queued: 1, sending: 4, oldest: t0 - 1, failed24h: 0 })
    const ends = ['failed', 'failed', 'cancelled', 'sent'].map((state, index) => ({
      tenantId,
      id: ids[index]!.id,
      state,
      error: 'refused',
    }))
    await record(outbox, 'me', ends as never, t0 + 5)
    assert.deepEqual(await count(), { queued: 1, sending: 0, oldest: t0 + 4, failed24h: 1 })
    assert.equal((await messages.count(t0 - 1)).failed24h, 2)
    await close()
  })

  /** A tenant with one failed message of the OTP, and one failed notice. */
  async function withFailed(tenant: TenantStorage, outbox: Parameters<typeof claim>[0], otp = otpOf()) {
    await tenant.otps.issue(otp, messageOf('code'))
    await tenant.messages.notify(noticeOf({ id: 'notice' }))
    await claim(outbox, 'me', t0, lease, 10)
    const results = ['code', 'notice'].map((id) => ({ tenantId, id, state: 'failed', error: 'refused' }) as const)
    await record(outbox, 'me', results, t0 + 1)
    return otp
  }

  test('retry queues a failed message, due at once, with no attempts counted', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const tenant = await newTenant(storage, { id: tenantId })
    await withFailed(tenant, outbox)
    const failed = await tenant.messages.find('code')
    const now = t0 + 20
    const message = { ...failed, state: 'queued', attempts: 0, nextAttemptAt: now, settledAt: null }
    assert.deepEqual(await tenant.messages.retry('code', now), { applied: true, message })
    assert.deepEqual(await tenant.messages.retry('code', now), { applied: false, message })
    assert.deepEqual(await claim(outbox, 'me', now - 1, lease, 10), [])
    const [claimed] = await claim(outbox, 'me', now, lease, 10)
    assert.deepEqual([claimed?.id, claimed?.attempts, claimed?.sealedCode], ['code', 0, 'sealed code'])
    assert.equal((await tenant.messages.retry('notice', now)).applied, true)
    assert.deepEqual(await tenant.messages.retry('nothing', now), { applied: false, message: null })
    await close()
  })

  test('of two retries at once, one applies', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage, { id: tenantId })
    await withFailed(tenant, storage.system.outbox)
    const outcomes = await Promise.all([1, 2].map(() => tenant.messages.retry('code', t0 + 2)))
    assert.deepEqual(outcomes.map(({ applied }) => applied).sort(), [false, true])
    await close()
  })

  test('retry rejects messages that have expired, are not failed, or whose one-time password is not pending', async () => {
    const { storage, dump, close } = await open()
    const { outbox } = storage.system
    const tenant = await newTenant(storage, { id: tenantId })
    const otp = await withFailed(tenant, outbox)
    await tenant.messages.notify(noticeOf({ id: 'queued' }))
    const refused = async (messageId: string, now: number) => {
      const before = await dump()
      const { applied, message } = await tenant.messages.retry(messageId, now)
      assert.deepEqual([applied, message?.id], [false, messageId])
      assert.deepEqual(await dump(), before)
    }
    await refused('queued', t0 + 2)
    await refused('code', otp.expiresAt)
    await refused('notice', t0 + 86_400_000)
    await tenant.otps.verify(otp, t0 + 2)
    await refused('code', t0 + 3)
    await close()
  })

  test('lists a user’s notices and one-time password messages, oldest first', async () => {
    const { storage, close } = await open()
    const { otps, messages } = await newTenant(storage)
    const otp = otpOf({ userId: 'u', createdAt: t0 + 2, lastSentAt: t0 + 2, resendIntervalSeconds: 0 })
    await messages.notify(noticeOf({ id: 'later', userId: 'u', createdAt: t0 + 3 }))
    await otps.issue(otp, messageOf('code'))
    await otps.resend(otp.id, otp.scope, t0 + 4, messageOf('again'))
    await messages.notify(noticeOf({ id: 'early', userId: 'u', createdAt: t0 + 1 }))
    await messages.notify(noticeOf({ id: 'of another' }))
    const toAddress = otpOf({ createdAt: t0 + 5, lastSentAt: t0 + 5 })
    await otps.issue(toAddress, messageOf('to an address'))
    const listed = async () => (await messages.listOf('u')).map(({ id }) => id)
    assert.deepEqual(await listed(), ['early', 'code', 'later', 'again'])
    assert.deepEqual((await messages.listOf('u'))[1], await messages.find('code'))
    await otps.attribute(toAddress.id, { userId: 'u', sessionId: 's' })
    assert.deepEqual(await listed(), ['early', 'code', 'later', 'again', 'to an address'])
    assert.deepEqual(await messages.listOf('nobody'), [])
    await close()
  })

  test('forgetRecipients erases recipients of a deleted user’s messages and cancels those not sent yet', async () => {
    const { storage, dump, close } = await open()
    const { outbox } = storage.system
    const { otps, messages } = await newTenant(storage, { id: tenantId })
    const ends = { sent: 'sent', failed: 'failed', retried: 'queued', leased: 'sending', waiting: 'queued' } as const
    for (const [end, state] of Object.entries(ends)) {
      const recipient = 'forgotten@example.com'
      await messages.notify(noticeOf({ id: end, userId: 'u', recipient }))
      const undo = otpOf({ userId: 'u', recipient, scope: recoveryScope })
      await otps.issue(undo, messageOf(`code ${end}`))
      await messages.notify(noticeOf({ id: `undo ${end}`, otpId: undo.id, userId: 'u', recipient }))
      if (end === 'waiting') continue
      const claimed = await claim(outbox, end, t0, lease, 10)
      const results = claimed.map(({ id }) => ({ tenantId, id, state, error: 'refused', retryAt: t0 + 1 }) as never)
      if (state !== 'sending') await record(outbox, end, results, t0)
    }
    await messages.notify(noticeOf({ id: 'of another' }))
    await messages.forgetRecipients('u')
    assert.ok(!JSON.stringify((await dump())['outbox']).includes('forgotten@'))
    const states = (await messages.listOf('u')).map(({ id, state, recipient }) => [id, `${state} ${recipient}`])
    const gone = Object.keys(ends).map((end) => [end, end === 'sent' || end === 'failed' ? `${end} ` : 'cancelled '])
    const expected = gone.flatMap(([end, state]) => [
      [end, state],
      [`code ${end}`, state],
      [`undo ${end}`, state],
    ])
    assert.deepEqual(Object.fromEntries(states), Object.fromEntries(expected))

    await record(outbox, 'leased', [{ tenantId, id: 'leased', state: 'queued', error: 'refused', retryAt: t0 }], t0)
    await record(outbox, 'leased', [{ tenantId, id: 'code leased', state: 'sent' }], t0)
    const claimed = await claim(outbox, 'me', lease + 1, lease + 2, 100)
    assert.deepEqual(
      claimed.map(({ id }) => id),
      ['of another'],
    )
    await close()
  })

  test('claiming and forgetting at once: no message is claimed without a recipient, or afterwards', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { messages } = await newTenant(storage)
    await atOnce(20, () => messages.notify(noticeOf({ userId: 'u' })))
    const claimed: string[] = []
    const claimSome = async (owner: string) => {
      claimed.push(...(await claim(outbox, owner, t0, lease, 5)).map(({ recipient }) => recipient))
    }
    await Promise.all([claimSome('me'), claimSome('you'), messages.forgetRecipients('u'), claimSome('me')])
    assert.deepEqual(new Set([...claimed, 'someone@example.com']), new Set(['someone@example.com']))
    assert.deepEqual(await claim(outbox, 'me', lease + 1, lease + 2, 100), [])
    await close()
  })
}
