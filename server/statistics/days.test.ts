import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarOf, countDays, earliestBegin } from './days.ts'
import { type HalfHour, halfHourMs } from './tenant-counts.ts'

const hour = 3_600_000
const signUp = (at: number): HalfHour => ({
  at: at - (at % halfHourMs),
  ...{ signUps: 1, signIns: 0, codes: 0, resets: 0, messagesSent: 0, messagesFailed: 0 },
})
const signUpsOf = (timezone: string, at: readonly number[], count: number, now: number) =>
  countDays(at.map(signUp), calendarOf(timezone)!, count, now).map(({ day, signUps }) => `${day} ${signUps}`)

test('days begin at midnight of the time zone, also of those that are half an hour off', () => {
  const at = Date.UTC(2026, 0, 15, 18, 30)
  assert.deepEqual(signUpsOf('UTC', [at], 2, at), ['2026-01-14 0', '2026-01-15 1'])
  // India is 5:30 ahead: the day begins at 18:30 UTC.
  assert.deepEqual(signUpsOf('Asia/Kolkata', [at - 1, at], 2, at), ['2026-01-15 1', '2026-01-16 1'])
  assert.deepEqual(signUpsOf('America/St_Johns', [at - 15 * hour - 1, at - 15 * hour], 2, at), [
    '2026-01-14 1',
    '2026-01-15 1',
  ])
})

test('a day of 23 or 25 hours is one day, and none is missing or twice', () => {
  for (const [spring, lost] of [
    [Date.UTC(2026, 2, 29), 23],
    [Date.UTC(2026, 9, 25), 25],
  ] as const) {
    const midnight = spring - (lost === 23 ? hour : 2 * hour)
    const hours = Array.from({ length: 48 + lost }, (_, index) => midnight - 24 * hour + index * hour)
    const days = signUpsOf('Europe/Berlin', hours, 3, midnight + (lost + 23) * hour)
    assert.deepEqual(
      days.map((day) => Number(day.split(' ')[1])),
      [24, lost, 24],
    )
  }
})

test('the year and the month turn in the time zone', () => {
  const now = Date.UTC(2026, 0, 1, 5)
  assert.deepEqual(signUpsOf('America/New_York', [now - 1, now], 2, now), ['2025-12-31 1', '2026-01-01 1'])
})

test('what the oldest day may need is read in every time zone', () => {
  const now = Date.UTC(2026, 2, 30, 12)
  for (const timezone of Intl.supportedValuesOf('timeZone')) {
    const dayOf = calendarOf(timezone)!
    const [oldest] = countDays([], dayOf, 90, now)
    assert.ok(dayOf(earliestBegin(90, now)) < oldest!.day, timezone)
  }
})

test('an unknown time zone has no calendar', () => {
  for (const timezone of ['Mars/Olympus', 'Europe/Berlin ', '', 'UTC;']) assert.equal(calendarOf(timezone), null)
})

test('a half hour is named once, however many tenants have it', () => {
  const now = Date.UTC(2026, 0, 15)
  let named = 0
  const dayOf = (at: number) => {
    named++
    return new Date(at).toISOString().slice(0, 10)
  }
  const halfHours = Array.from({ length: 100 }, () => [now, now - halfHourMs].map(signUp)).flat()
  const days = countDays(halfHours, dayOf, 2, now).map(({ day, signUps }) => `${day} ${signUps}`)
  assert.deepEqual(days, ['2026-01-14 100', '2026-01-15 100'])
  assert.ok(named <= 3, `${named}`)
})
