import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { DailyCount } from './daily-chart.tsx'

/** The bars. Loaded when a chart is visible, because the library is as large as everything else. */
export default function ChartBars({ name, days }: { readonly name: string; readonly days: readonly DailyCount[] }) {
  return (
    <BarChart
      h={230}
      data={days.map(({ day, count }) => ({ day: day.slice(5), [name]: count }))}
      dataKey="day"
      series={[{ name, color: 'teal.5' }]}
      gridColor="var(--line)"
      textColor="var(--mantine-color-dimmed)"
      maxBarWidth={28}
      tickLine="none"
      yAxisProps={{ allowDecimals: false, width: 44 }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
    />
  )
}
