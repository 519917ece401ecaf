import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedEvent } from './recorded-event.ts'
import { withArrivals } from './with-arrivals.ts'

const events = (...sequences: number[]) =>
  sequences.map((sequence) => ({ id: `event-${sequence}`, sequence }) as RecordedEvent)
const shown = (listed: number[], items: number[], held: number[] = []) =>
  withArrivals(events(...listed), { items: events(...items), held: events(...held) }).map(({ sequence }) => sequence)

test('what arrived stands above what is listed, each event once', () => {
  assert.deepEqual(shown([4, 3, 1], [6, 5, 4]), [6, 5, 4, 3, 1])
})

test('a list that was read again moves nothing: what is held back stays so', () => {
  assert.deepEqual(shown([7, 6, 5, 4], [5], [7, 6]), [5, 4])
})
