import { Table, Text } from '@mantine/core'
import { State } from '../parts/state.tsx'
import { whyFailed } from './failed-rows.tsx'
import type { LookedLine } from './first-lines.ts'
import type { ImportRun } from './import-run.ts'

interface DryLookProps {
  readonly lines: readonly LookedLine[]
  /** What the server says about them. */
  readonly judged: ImportRun
}

/** The first lines of a file, each with what an import would do. */
export function DryLook({ lines, judged }: DryLookProps) {
  const failures = new Map(judged.failed.map((row) => [row.line, row]))
  return (
    <Table aria-label="The first lines" verticalSpacing="xs" horizontalSpacing="md" borderColor="var(--line)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" fz="xs" c="dimmed" w={60}>
            Line
          </Table.Th>
          <Table.Th scope="col" fz="xs" c="dimmed">
            User
          </Table.Th>
          <Table.Th scope="col" fz="xs" c="dimmed" w={110}>
            Import
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ line, text, name }, index) => {
          // The lines were sent without the blank ones between them.
          const failure = failures.get(index + 1)
          return (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm" lineClamp={1} dir="auto">
                  {name ?? text}
                </Text>
                {failure !== undefined && (
                  <Text size="xs" c="var(--bad-text)">
                    {whyFailed(failure)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {failure !== undefined ? (
                  <State tone="bad">Fails</State>
                ) : judged.state === 'done' ? (
                  <State tone="good">Fits</State>
                ) : (
                  '–'
                )}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
