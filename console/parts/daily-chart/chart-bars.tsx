import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

export interface DailyCount {
  /** `2026-01-31`. */
  readonly day: string
  readonly count: number
}

const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The bars. Loaded when a chart is visible, because the library is as large as everything else. */
export default function ChartBars({ name, days }: { readonly name: string; readonly days: readonly DailyCount[] }) {
  return (
    <BarChart
      h={230}
      data={days.map(({ day, count }) => ({ day: shortDay.format(new Date(day)), [name]: count }))}
      dataKey="day"
      series={[{ name, color: 'teal.5' }]}
      gridColor="var(--line)"
      textColor="var(--mantine-color-dimmed)"
      maxBarWidth={28}
      tickLine="none"
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 20 }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      // Room for the uppermost number beside its line.
      barChartProps={{ accessibilityLayer: false, margin: { top: 10 } }}
      // While it is hidden, its own least width in a large text would widen the page of a phone.
      styles={{ tooltip: { minWidth: 'min(12.5rem, 60vw)' } }}
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
    />
  )
}
