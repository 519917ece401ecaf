import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyInbox, filterByRecipient, type InboxAction, inboxReducer, kept } from './inbox-state.ts'
import type { TestingChannelMessage } from './testing-channel-message.ts'

const message = (id: string, changes: Partial<TestingChannelMessage> = {}): TestingChannelMessage => ({
  id,
  tenantId: 'acme',
  otpId: null,
  scope: null,
  deliveryMethod: 'email',
  recipient: 'ada@example.com',
  code: '123456',
  text: 'text',
  createdAt: '2026-03-10T12:00:00.000Z',
  ...changes,
})
const arrived = (...ids: string[]): InboxAction => ({ type: 'arrived', messages: ids.map((id) => message(id)) })
const after = (...actions: InboxAction[]) => {
  const { messages, held, isPaused } = actions.reduce(inboxReducer, emptyInbox)
  return { shown: idsOf(messages), held: idsOf(held), isPaused }
}
const idsOf = (messages: readonly TestingChannelMessage[]) => messages.map(({ id }) => id).join(' ')

describe('the inbox', () => {
  test('shows the latest arrival first, whatever its id', () => {
    assert.equal(after(arrived('b', 'c'), arrived('a')).shown, 'a c b')
  })

  test('shows a message once, also when a resumed stream repeats it', () => {
    assert.equal(after(arrived('a', 'b'), arrived('a', 'b', 'b', 'c')).shown, 'c b a')
    assert.deepEqual(after(arrived('a'), { type: 'paused' }, arrived('a', 'b'), arrived('b')), {
      ...{ shown: 'a', held: 'b', isPaused: true },
    })
  })

  test('keeps the same state when nothing is new, so that nothing renders', () => {
    const state = inboxReducer(emptyInbox, arrived('a'))
    assert.equal(inboxReducer(state, arrived('a')), state)
  })

  test('holds back what arrives while it is paused, and shows it in order when it goes on', () => {
    const paused = [arrived('a'), { type: 'paused' }, arrived('b'), arrived('c')] as const
    assert.deepEqual(after(...paused), { shown: 'a', held: 'c b', isPaused: true })
    assert.deepEqual(after(...paused, { type: 'resumed' }), { shown: 'c b a', held: '', isPaused: false })
  })

  test('keeps the latest messages only', () => {
    const ids = Array.from({ length: kept + 1 }, (_, index) => `${index}`)
    for (const actions of [[arrived(...ids)], [{ type: 'paused' } as const, arrived(...ids)]]) {
      const { shown, held } = after(...actions)
      const list = (shown || held).split(' ')
      assert.deepEqual([list.length, list[0], list.at(-1)], [kept, `${kept}`, '1'])
    }
  })

  test('forgets the messages of a cleared tenant, or all, also those held back', () => {
    const both: InboxAction = { type: 'arrived', messages: [message('a'), message('b', { tenantId: 'other' })] }
    assert.equal(after(both, { type: 'cleared', tenantId: 'acme' }).shown, 'b')
    assert.equal(after({ type: 'paused' }, both, { type: 'cleared', tenantId: 'other' }).held, 'a')
    assert.equal(after(both, { type: 'cleared' }).shown, '')
  })

  test('stays paused when another filter applies', () => {
    assert.deepEqual(after(arrived('a'), { type: 'paused' }, { type: 'reset' }), {
      ...{ shown: '', held: '', isPaused: true },
    })
  })
})

const filters: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'mail phone'],
  [' ', 'mail phone'],
  ['ADA', 'mail'],
  ['@example', 'mail'],
  ['+33 6 12-34', 'phone'],
  ['061', ''],
  ['612', 'phone'],
  ['eve', ''],
]
for (const [text, ids] of filters) {
  test(`a filter by ${JSON.stringify(text)} shows ${ids || 'nothing'}`, () => {
    const messages = [
      message('mail', { recipient: 'ada@Example.com' }),
      message('phone', { recipient: '+33612345678' }),
    ]
    assert.equal(idsOf(filterByRecipient(messages, text)), ids)
  })
}
