import { Button, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Problem } from '../parts/pages/problem.tsx'
import { FailedRows } from './failed-rows.tsx'
import { FileChangedError, type ImportRun } from './import-run.ts'
import { Panel } from './panel.tsx'

const titles = { idle: '', running: 'Importing', done: 'Imported', stopped: 'Stopped' } as const
const number = (count: number) => count.toLocaleString('en')

interface ImportProgressProps {
  readonly run: ImportRun
  readonly onStop: () => void
  readonly onStart: () => void
  readonly tenantId: string
}

/** How far an import has come, and the rows that failed. */
export function ImportProgress({ run, onStop, onStart, tenantId }: ImportProgressProps) {
  const { state, counts, failed, error } = run
  return (
    <Panel
      title={titles[state]}
      isFlush
      actions={
        state === 'running' ? (
          <Button size="xs" variant="default" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Group gap="xs">
            {state === 'stopped' && !(error instanceof FileChangedError) && (
              <Button size="xs" variant="default" onClick={onStart}>
                Start again
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/users" params={{ tenantId }} />}
            >
              Show the users
            </Button>
          </Group>
        )
      }
    >
      <Stack gap="sm" px="md" pb="md">
        {state === 'running' && <Progress value={100} animated aria-label="The import is running" />}
        <Group gap="lg" role="status" className="figures">
          {/* The end is announced, also where no number changes with it. */}
          <VisuallyHidden>{titles[state]}</VisuallyHidden>
          <Text>{number(counts.read)} read</Text>
          <Text>{number(counts.imported)} imported</Text>
          <Text c={failed.length > 0 ? 'var(--bad-text)' : undefined}>
            {number(Math.max(counts.failed, failed.length))} failed
          </Text>
        </Group>
        {state === 'stopped' && (
          <Text size="sm">
            Users that were stored stay. Sent again, their lines fail as duplicates and change nothing.
          </Text>
        )}
        {error !== null && <Problem error={error} />}
      </Stack>
      {failed.length > 0 && <FailedRows rows={failed} />}
    </Panel>
  )
}
