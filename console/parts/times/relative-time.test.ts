import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const cases: readonly (readonly [string, string])[] = [
  ['2026-03-10T11:59:30Z', 'just now'],
  ['2026-03-10T12:00:30Z', 'in less than a minute'],
  ['2026-03-10T11:56:00Z', '4 minutes ago'],
  ['2026-03-10T14:30:00Z', 'in 2 hours'],
  ['2026-03-08T22:00:00Z', '1 day ago'],
  ['2026-03-12T10:00:00Z', 'in 1 day'],
  ['2026-01-30T12:00:00Z', '1 month ago'],
  ['2024-12-30T12:00:00Z', '1 year ago'],
  ['2020-03-10T12:00:00Z', '5 years ago'],
]

for (const [time, text] of cases)
  test(`${time} is ${text}`, () => assert.equal(relativeTime(Date.parse(time), now), text))
