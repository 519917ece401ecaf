import { Group, Skeleton, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'

export interface DailyCount {
  /** `2026-01-31`. */
  readonly day: string
  readonly count: number
}

interface DailyChartProps {
  readonly title: string
  /** What is counted, such as "Sign-ups". */
  readonly name: string
  /** undefined while they are read. */
  readonly days: readonly DailyCount[] | undefined
}

const ChartBars = lazy(() => import('./chart-bars.tsx'))
const count = new Intl.NumberFormat()
const dayOf = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** Counts of days as bars, and the same in a table for those who cannot see them. */
export function DailyChart({ title, name, days }: DailyChartProps) {
  const [isTable, { toggle }] = useDisclosure()
  const sum = days?.reduce((total, { count }) => total + count, 0)
  return (
    <section className="panel" style={{ padding: 16, marginBottom: 16 }} aria-label={title}>
      <Group justify="space-between" mb="sm" gap="sm">
        <Group gap="sm" align="baseline">
          <Title order={2} fz="lg">
            {title}
          </Title>
          <Text size="sm" c="dimmed" className="figures">
            {sum === undefined ? '' : `${count.format(sum)} in ${days!.length} days`}
          </Text>
        </Group>
        <UnstyledButton onClick={toggle} aria-expanded={isTable} fz="sm" c="var(--accent)" fw={600}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </UnstyledButton>
      </Group>
      {days === undefined ? (
        <Skeleton height={230} />
      ) : isTable ? (
        <CountTable name={name} title={title} days={days} />
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
            <Table.Td ta="end">{count.format(one.count)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
