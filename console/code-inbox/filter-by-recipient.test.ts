import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterByRecipient } from './filter-by-recipient.ts'

const filters: readonly (readonly [string | undefined, readonly string[]])[] = [
  [undefined, ['mail', 'phone']],
  [' ', ['mail', 'phone']],
  ['ADA', ['mail']],
  ['@example', ['mail']],
  ['+33 6 12-34', ['phone']],
  ['061', []],
  ['612', ['phone']],
  ['eve', []],
]
for (const [text, ids] of filters) {
  test(`a filter by ${JSON.stringify(text)} shows ${ids.join(' and ') || 'nothing'}`, () => {
    const messages = [
      { id: 'mail', recipient: 'ada@Example.com' },
      { id: 'phone', recipient: '+33612345678' },
    ]
    assert.deepEqual(
      filterByRecipient(messages, text).map(({ id }) => id),
      ids,
    )
  })
}
