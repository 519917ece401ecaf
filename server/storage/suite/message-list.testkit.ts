import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageFilter, MessageState } from '../../delivery/message.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { claim, messageOf, newTenant, noticeOf, otpOf, record, t0 } from './samples.testkit.ts'

const lease = t0 + 60_000
const tenantId = 'tenant'

/** Lists of a tenant's messages, by filters and in pages. */
export function messageListTests(open: OpenStorage): void {
  test('lists messages newest first, by state, recipient and one-time password, in pages', async () => {
    const { storage, close } = await open()
    const { outbox } = storage.system
    const { otps, messages } = await newTenant(storage, { id: tenantId })
    const states: MessageState[] = ['sent', 'failed', 'cancelled', 'queued', 'sending', 'sent', 'failed']
    for (const [index, state] of states.entries()) {
      const recipient = index % 2 === 0 ? 'even@example.com' : 'odd@example.com'
      await messages.notify(noticeOf({ id: `n${index}`, recipient }))
      if (state === 'queued') continue
      await claim(outbox, `owner ${index}`, t0, lease, 10)
      const end = state === 'failed' ? { state, error: 'refused' } : { state }
      if (state !== 'sending')
        await record(outbox, `owner ${index}`, [{ tenantId, id: `n${index}`, ...end } as never], t0)
    }
    const otp = otpOf({ recipient: 'odd@example.com' })
    for (const id of ['o8', 'o7']) await otps.issue({ ...otp, id: `otp of ${id}` }, messageOf(id))
    const list = async (filter: MessageFilter, limit = 10, cursor: string | null = null) =>
      (await messages.list({ ...filter, limit, cursor })).map(({ id }) => id).join(' ')
    const expected: [MessageFilter, string][] = [
      [{}, 'o8 o7 n6 n5 n4 n3 n2 n1 n0'],
      [{ state: 'queued' }, 'o8 o7'],
      [{ state: 'sending' }, 'n4 n3'],
      [{ state: 'sent' }, 'n5 n0'],
      [{ state: 'failed' }, 'n6 n1'],
      [{ state: 'cancelled' }, 'n2'],
      [{ recipient: 'odd@example.com' }, 'o8 o7 n5 n3 n1'],
      [{ recipient: 'odd@example.com', state: 'failed' }, 'n1'],
      [{ recipient: 'even@example.com', state: 'sending' }, 'n4'],
      [{ recipient: 'even@example.com', state: 'sent' }, 'n0'],
      [{ otpId: 'otp of o7' }, 'o7'],
      [{ otpId: 'otp of o7', state: 'sent' }, ''],
      [{ otpId: 'otp of o7', recipient: 'even@example.com' }, ''],
      [{ recipient: 'nobody@example.com' }, ''],
    ]
    for (const [filter, ids] of expected) {
      assert.equal(await list(filter), ids, JSON.stringify(filter))
      const [first = '', ...rest] = ids.split(' ')
      assert.equal(await list(filter, 1), first)
      assert.equal(await list(filter, 10, first), rest.join(' '), `${JSON.stringify(filter)} after ${first}`)
    }
    await close()
  })

  test('finds messages among thousands of others', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage, { id: tenantId })
    const wanted = [0, 2_000, 2_001, 4_001]
    const all = Array.from({ length: 4_002 }, (_, index) => {
      const recipient = wanted.includes(index) ? 'wanted@example.com' : 'other@example.com'
      return noticeOf({ id: `n${String(index).padStart(4, '0')}`, recipient })
    })
    await tenant.write(async ({ messages }) => void (await Promise.all(all.map((notice) => messages.notify(notice)))))
    const list = async (limit: number, cursor: string | null = null) =>
      (await tenant.messages.list({ recipient: 'wanted@example.com', limit, cursor })).map(({ id }) => id)
    assert.deepEqual(await list(10), ['n4001', 'n2001', 'n2000', 'n0000'])
    assert.deepEqual(await list(2), ['n4001', 'n2001'])
    assert.deepEqual(await list(10, 'n2001'), ['n2000', 'n0000'])
    assert.deepEqual(await list(10, 'n0000'), [])
    await close()
  })
}
