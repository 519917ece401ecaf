import { Anchor, Button, FileInput, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UnsavedChanges } from '../parts/dialogs/unsaved-changes.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { DryLook } from './dry-look.tsx'
import { ImportProgress } from './import-progress.tsx'
import { useImport } from './import-run.ts'
import { Panel } from './panel.tsx'
import { useDryLook } from './use-dry-look.ts'
import { readUsersAgain } from './users-queries.ts'

/** Imports a file of users: first a dry look at its beginning, then all of it with the rows that failed. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/users/import' })
  const look = useDryLook(tenantId)
  const { file, lines, judged } = look
  const real = useImport(tenantId)
  const queries = useQueryClient()
  const isRunning = real.run.state === 'running'
  function choose(chosen: File | null): void {
    real.reset()
    void look.choose(chosen)
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
      <UnsavedChanges
        isChanged={isRunning}
        // The rows that failed are shown only here.
        afterwards="stay"
        title="Stop the import?"
        loss="It ends when you leave this page. Users that were stored stay."
      />
      <Stack>
        <Panel title="Choose a file">
          <Stack gap="sm">
            <FileOfUsers file={file} onChoose={choose} isFixed={isRunning} />
            {look.unreadable !== null && <Problem error={look.unreadable} />}
            {file !== null && lines.length === 0 && judged.state === 'idle' && look.unreadable === null && (
              <Text size="sm" c="dimmed">
                The file has no lines.
              </Text>
            )}
            {judged.error !== null && <Problem error={judged.error} />}
          </Stack>
        </Panel>
        {lines.length > 0 && real.run.state === 'idle' && (
          <Panel
            title={`The first ${lines.length === 1 ? 'line' : `${lines.length} lines`}`}
            isFlush
            actions={
              <Button size="sm" loading={judged.state === 'running'} onClick={() => void start()}>
                Start the import
              </Button>
            }
          >
            <DryLook lines={lines} judged={judged} />
          </Panel>
        )}
        {real.run.state !== 'idle' && (
          <ImportProgress run={real.run} onStop={real.stop} onStart={() => void start()} tenantId={tenantId} />
        )}
      </Stack>
    </Page>
  )
}

interface FileOfUsersProps {
  readonly file: File | null
  readonly onChoose: (file: File | null) => void
  /** The file cannot be changed while it is imported. */
  readonly isFixed: boolean
}

function FileOfUsers({ file, onChoose, isFixed }: FileOfUsersProps) {
  return (
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
      onChange={onChoose}
      // Otherwise a browser says nothing when the same file is chosen again, after it was edited.
      fileInputProps={{ onClick: ({ currentTarget }) => (currentTarget.value = '') }}
      clearable
      clearButtonProps={{ 'aria-label': 'Remove the file' }}
      disabled={isFixed}
    />
  )
}
