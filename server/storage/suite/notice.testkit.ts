import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recoveryScope } from '../../otp/otp.ts'
import { allUndoCodes } from '../../otp/undo-codes.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { claim, messageOf, newTenant, noticeOf, otpOf, record, t0 } from './samples.testkit.ts'

const lease = t0 + 60_000
const tenantId = 'tenant'

/** Security notices: with an undo code, and about a deleted account. */
export function noticeTests(open: OpenStorage): void {
  test('a notice with an undo code is found by its user and code, and can be retried after the code is gone', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { otps, undoCodes, messages } = await newTenant(storage, { id: tenantId })
    const undo = otpOf({ scope: recoveryScope, userId: 'u', expiresAt: t0 + 259_200_000 })
    await otps.issue(undo, messageOf('beside it'))
    const notice = noticeOf({ id: 'undo', kind: 'email_changed', otpId: undo.id, userId: 'u', createdAt: t0 + 1 })
    await messages.notify(notice)
    const found = await messages.find('undo')
    assert.deepEqual([found?.kind, found?.otpId, found?.scope], ['email_changed', undo.id, null])
    const ids = (listed: readonly { readonly id: string }[]) => listed.map(({ id }) => id)
    assert.deepEqual(ids(await messages.listOf('u')), ['beside it', 'undo'])
    assert.deepEqual(ids(await messages.list({ otpId: undo.id, limit: 1, cursor: null })), ['undo'])

    const claimUndo = async (now: number) =>
      (await claim(outbox, 'me', now, lease, 10)).find(({ id }) => id === 'undo')?.sealedCode
    assert.equal(await claimUndo(t0 + 1), 'sealed code')
    const failed = { tenantId, id: 'undo', state: 'failed', error: 'refused' } as const
    await record(outbox, 'me', [failed], t0 + 2)
    await undoCodes.cancel('u', allUndoCodes, t0 + 3)
    assert.equal((await messages.retry('undo', t0 + 4)).applied, true)
    assert.equal(await claimUndo(t0 + 4), null)
    await record(outbox, 'me', [failed], t0 + 5)
    await messages.forgetRecipients('u')
    assert.equal((await messages.find('undo'))?.recipient, '')
    assert.equal((await messages.retry('undo', t0 + 6)).applied, false, 'the recipient is erased')
    await close()
  })

  test('a notice without a user keeps its recipient when users are forgotten, and loses it once sent', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { messages } = await newTenant(storage, { id: tenantId })
    const ends = { sent: {}, failed: { error: 'refused' }, queued: { error: 'not now', retryAt: t0 + 9 } } as const
    for (const id of Object.keys(ends)) await messages.notify(noticeOf({ id, kind: 'account_deleted', userId: null }))
    await messages.forgetRecipients('someone')
    assert.equal((await claim(outbox, 'me', t0, lease, 10)).length, 3)
    const results = Object.entries(ends).map(
      ([id, end]) => ({ tenantId, id, state: id, forgetRecipient: true, ...end }) as never,
    )
    await record(outbox, 'me', results, t0 + 1)
    const recipients = (await messages.list({ limit: 10, cursor: null })).map(({ state, recipient }) => [
      state,
      recipient,
    ])
    assert.deepEqual(Object.fromEntries(recipients), { sent: '', failed: '', queued: 'someone@example.com' })
    await close()
  })
}
