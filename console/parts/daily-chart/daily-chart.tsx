import { Center, Group, Skeleton, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense } from 'react'
import type { DailyCount } from './chart-bars.tsx'
import classes from './daily-chart.module.css'

interface DailyChartProps {
  readonly title: string
  /** What is counted, such as "Sign-ups". */
  readonly name: string
  /** undefined while they are read. */
  readonly days: readonly DailyCount[] | undefined
}

const ChartBars = lazy(() => import('./chart-bars.tsx'))
const count = new Intl.NumberFormat('en')
const dayOf = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** The charts of a screen, the most important one first. */
export const DailyCharts = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes['charts']}>{children}</div>
)

/** Counts of days as bars, and the same in a table for those who cannot see them. */
export function DailyChart({ title, name, days }: DailyChartProps) {
  const [isTable, { toggle }] = useDisclosure()
  const sum = days?.reduce((total, { count }) => total + count, 0)
  return (
    <section className={`panel ${classes['chart']}`} aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <Group gap="0 0.75rem" align="baseline" flex="1 1 9rem">
          <Title order={2} fz="lg">
            {title}
          </Title>
          <Text size="sm" c="dimmed" className="figures">
            {sum === undefined ? '' : `${count.format(sum)} in ${days!.length} days`}
          </Text>
        </Group>
        <UnstyledButton onClick={toggle} aria-expanded={isTable} className={classes['switch']}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </UnstyledButton>
      </Group>
      {days === undefined ? (
        <Skeleton height={230} />
      ) : isTable ? (
        <CountTable name={name} title={title} days={days} />
      ) : sum === 0 ? (
        <Center h={230}>
          <Text size="sm" c="dimmed">
            None in these days
          </Text>
        </Center>
      ) : (
        <div aria-hidden="true" dir="ltr">
          <Suspense fallback={<div style={{ height: 230 }} />}>
            <ChartBars name={name} days={days} />
          </Suspense>
        </div>
      )}
    </section>
  )
}

function CountTable({
  name,
  title,
  days,
}: {
  readonly name: string
  readonly title: string
  readonly days: readonly DailyCount[]
}) {
  return (
    <Table aria-label={title} verticalSpacing={4} maw={420} borderColor="var(--line)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Day</Table.Th>
          <Table.Th scope="col" ta="end">
            {name}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.toReversed().map((one) => (
          <Table.Tr key={one.day}>
            <Table.Td>{dayOf.format(new Date(one.day))}</Table.Td>
            <Table.Td ta="end" className="figures">
              {count.format(one.count)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
