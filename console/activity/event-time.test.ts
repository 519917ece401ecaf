import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../server/core/ids.ts'
import { eventTime } from './event-time.ts'

test('reads the time of an event from its id', () => {
  for (const time of [0, 1, 1_769_860_800_123, 2 ** 48 - 1]) assert.equal(eventTime(ulid(time)), time)
  for (const text of ['', 'x', ulid(1).toLowerCase(), `${ulid(1)}0`]) assert.equal(eventTime(text), Number.NaN, text)
})
