import { Anchor, Button, FileInput, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { UnsavedChanges } from '../parts/unsaved-changes.tsx'
import { DryLook } from './dry-look.tsx'
import { firstLines, type LookedLine } from './first-lines.ts'
import { ImportProgress } from './import-progress.tsx'
import { useImport } from './import-run.ts'
import { Panel } from './panel.tsx'
import { readUsersAgain } from './users-queries.ts'

/** Imports a file of users: first a dry look at its beginning, then all of it with the rows that failed. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/users/import' })
  const [file, setFile] = useState<File | null>(null)
  const [lines, setLines] = useState<readonly LookedLine[]>([])
  const [unreadable, setUnreadable] = useState<unknown>(null)
  const look = useImport(tenantId)
  const real = useImport(tenantId)
  const queries = useQueryClient()
  const isRunning = real.run.state === 'running'
  async function choose(chosen: File | null): Promise<void> {
    real.reset()
    look.reset()
    setFile(chosen)
    setLines([])
    setUnreadable(null)
    if (chosen === null) return
    try {
      const read = await firstLines(chosen)
      setLines(read)
      if (read.length > 0) await look.start(read.map(({ text }) => `${text}\n`).join(''), true)
    } catch (error) {
      setUnreadable(error)
    }
  }
  async function start(): Promise<void> {
    if (file !== null) await real.start(file, false)
    await readUsersAgain(queries, tenantId)
  }
  return (
    <Page
      title="Import users"
      width="narrow"
      above={
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/users" params={{ tenantId }} />}
        >
          Users
        </Anchor>
      }
      about="One JSON object per line, with password hashes of another system if you have them. No message is sent."
    >
      <UnsavedChanges isChanged={isRunning} />
      <Stack>
        <Panel title="Choose a file">
          <Stack gap="sm">
            <FileInput
              label="Users"
              description={
                <>
                  For example <code>{'{"email": "ada@example.com", "emailVerified": true}'}</code>
                </>
              }
              placeholder="Choose a file (.ndjson, .jsonl)"
              leftSection={<IconFileUpload size={16} />}
              accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson"
              value={file}
              onChange={(chosen) => void choose(chosen)}
              clearable
              clearButtonProps={{ 'aria-label': 'Remove the file' }}
              disabled={isRunning}
            />
            {unreadable !== null && <Problem error={unreadable} />}
            {file !== null && lines.length === 0 && look.run.state === 'idle' && unreadable === null && (
              <Text size="sm" c="dimmed">
                The file has no lines.
              </Text>
            )}
            {look.run.error !== null && <Problem error={look.run.error} />}
          </Stack>
        </Panel>
        {lines.length > 0 && real.run.state === 'idle' && (
          <Panel
            title={`The first ${lines.length === 1 ? 'line' : `${lines.length} lines`}`}
            isFlush
            actions={
              <Button size="sm" loading={look.run.state === 'running'} onClick={() => void start()}>
                Start the import
              </Button>
            }
          >
            <DryLook lines={lines} judged={look.run} />
          </Panel>
        )}
        {real.run.state !== 'idle' && <ImportProgress run={real.run} onStop={real.stop} tenantId={tenantId} />}
      </Stack>
    </Page>
  )
}
