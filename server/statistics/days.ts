import { type Acts, actNames, type HalfHour, noActs } from './tenant-counts.ts'

/** The acts of a calendar day. */
export interface DayCounts extends Acts {
  /** `2026-01-31`. */
  readonly day: string
}

const DAY = 86_400_000
/** How far from UTC a time zone can be, and a day longer than 24 hours. */
const longestShift = 16 * 3_600_000

/** When the oldest of the days may begin. */
export const earliestBegin = (days: number, now: number): number => now - days * DAY - longestShift

/** Tells the calendar day of a point in time; null for an unknown time zone. */
export function calendarOf(timezone: string): ((at: number) => string) | null {
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    return (at) => format.format(at)
  } catch {
    return null
  }
}

/** The last `count` days in a calendar, today included, oldest first; days without acts have zeros. */
export function countDays(
  halfHours: Iterable<HalfHour>,
  dayOf: (at: number) => string,
  count: number,
  now: number,
): DayCounts[] {
  const today = Date.parse(dayOf(now))
  const days = Array.from({ length: count }, (_, index) => ({
    day: new Date(today - (count - 1 - index) * DAY).toISOString().slice(0, 10),
    ...noActs,
  }))
  const byDay = new Map(days.map((day) => [day.day, day]))
  // Naming a day takes microseconds, and a hundred tenants have the same half hours.
  const dayAt = new Map<number, string>()
  for (const halfHour of halfHours) {
    const named = dayAt.get(halfHour.at) ?? dayOf(halfHour.at)
    dayAt.set(halfHour.at, named)
    const day = byDay.get(named)
    if (day === undefined) continue
    for (const name of actNames) day[name] += halfHour[name]
  }
  return days
}
