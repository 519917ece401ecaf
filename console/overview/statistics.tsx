import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { DailyChart, DailyCharts } from '../parts/daily-chart/daily-chart.tsx'

type Day = AdminOutputOf<'getTenantStatistics'>['days'][number]
export type Counted = Exclude<keyof Day, 'day'>

/** The sum of a count over all days; undefined while they are read. */
export const sumOf = (days: readonly Day[] | undefined, name: Counted): number | undefined =>
  days?.reduce((sum, day) => sum + day[name], 0)

const count = new Intl.NumberFormat('en')

/** How many of the users are guests. */
export const guestsNote = (guests: number): string =>
  guests === 1 ? '1 of them a guest' : `${count.format(guests)} of them guests`

/** The days in which messages failed, and how many were sent in them. */
export const sentNote = (days: readonly Day[]): string =>
  `in ${days.length} days; ${count.format(sumOf(days, 'messagesSent')!)} sent`

/** Charts of days: what people see first. */
export function Charts({ days }: { readonly days: readonly Day[] | undefined }) {
  const counts = (name: Counted) => days?.map((one) => ({ day: one.day, count: one[name] }))
  return (
    <DailyCharts>
      <DailyChart title="Sign-ups a day" name="Sign-ups" days={counts('signUps')} />
      <DailyChart title="Sign-ins a day" name="Sign-ins" days={counts('signIns')} />
      <DailyChart title="Codes a day" name="Codes" days={counts('codes')} />
    </DailyCharts>
  )
}
