import { Text } from '@mantine/core'
import { State } from '../parts/state.tsx'
import { whyFailed } from './failed-rows.tsx'
import type { LookedLine } from './first-lines.ts'
import type { ImportRun } from './import-run.ts'
import { LineTable } from './line-table.tsx'

interface DryLookProps {
  readonly lines: readonly LookedLine[]
  /** What the server says about them. */
  readonly judged: ImportRun
}

/** The first lines of a file, each with what an import would do. */
export function DryLook({ lines, judged }: DryLookProps) {
  const failures = new Map(judged.failed.map((row) => [row.line, row]))
  const fails = <State tone="bad">Fails</State>
  const passes = judged.state === 'done' ? <State tone="good">Fits</State> : '–'
  const rows = lines.map(({ line, text, name }) => {
    const failure = failures.get(line)
    return {
      line,
      cells: [
        <>
          {/* An address is shown whole: its end tells it apart. */}
          <Text size="sm" {...(name === null && { lineClamp: 1 })} dir="auto">
            {name ?? text}
          </Text>
          {failure !== undefined && (
            <Text size="xs" c="var(--bad-text)">
              {whyFailed(failure)}
            </Text>
          )}
        </>,
        failure === undefined ? passes : fails,
      ],
    }
  })
  return (
    <LineTable label="The first lines" columns={[{ header: 'User' }, { header: 'Import', fits: true }]} rows={rows} />
  )
}
