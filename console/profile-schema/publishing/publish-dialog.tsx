import { Alert, Button, Group, List, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fieldErrorsOf } from '../../parts/dialogs/form-errors.ts'
import { Problem } from '../../parts/pages/problem.tsx'
import { serverNow } from '../../parts/times/server-time.ts'
import { useEditor } from '../editor-context.ts'
import { describeMigration } from '../migrations/migration-words.ts'
import { ProblemSummary } from '../problems/problem-summary.tsx'
import { type Publication, versionsQuery } from '../schema-queries.ts'
import { versionAfter } from '../versions/version-after.ts'
import { CheckReport } from './check-report.tsx'
import { PublishButton } from './publish-button.tsx'
import { useCheck } from './use-check.ts'
import { type PublishInput, usePublish } from './use-publish.ts'

interface PublishDialogProps extends PublishInput {
  readonly isCheckOnly: boolean
  readonly onClose: () => void
}

/** Always checks first. What the check finds is shown before anything is published, and named on the button. */
export function PublishDialog({ isCheckOnly, onClose, ...input }: PublishDialogProps) {
  const name = useVersionName()
  const check = useCheck(input.onProblems)
  const publish = usePublish(name, input)
  // A version that becomes current replaces the draft, and so what would be edited meanwhile.
  const close = () => publish.isPending || onClose()
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={650}>{isCheckOnly ? 'Check' : 'Publish a version'}</Text>}>
      <Stack>
        <div role="status" hidden={check.isError}>
          {check.isPending && (
            <Group gap="sm">
              <Loader size="sm" />
              <Text size="sm">Checking every stored profile against the draft…</Text>
            </Group>
          )}
          {check.isSuccess && <CheckReport report={check.data} />}
        </div>
        {check.isError && <Refused error={check.error} onGo={onClose} retry={() => void check.refetch()} />}
        {check.isSuccess && !isCheckOnly && (
          <>
            <MigrationSteps />
            <VersionInput name={name} />
          </>
        )}
        {publish.isError && <Refused error={publish.error} onGo={onClose} />}
        {publish.data?.state === 'failed' && <BuildFailed {...publish.data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={publish.isPending}>
            {isCheckOnly ? 'Close' : 'Cancel'}
          </Button>
          {!isCheckOnly && check.isSuccess && (
            <PublishButton
              report={check.data}
              name={name}
              isBusy={publish.isPending}
              onPublish={() => publish.mutate()}
            />
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

/** The name that was typed, or the one that fits to those before; `''`: the server numbers the version. */
function useVersionName(): string {
  const { tenantId, draft, base } = useEditor()
  const versions = useQuery(versionsQuery(tenantId)).data?.items.map(({ version }) => version) ?? []
  return draft.version ?? versionAfter(base.version, versions, new Date(serverNow()).toISOString().slice(0, 10)) ?? ''
}

function VersionInput({ name }: { readonly name: string }) {
  const { edit } = useEditor()
  return (
    <TextInput
      label="Version"
      description="Left empty, the next number."
      placeholder="The next number"
      value={name}
      onChange={({ currentTarget }) => edit({ do: 'setVersion', version: currentTarget.value })}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function MigrationSteps() {
  const { migrations } = useEditor().draft
  if (migrations.length === 0) return null
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        What happens to stored values
      </Text>
      <List size="sm" spacing={4} type="ordered">
        {migrations.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps run in this order
          <List.Item key={index}>{describeMigration(step)}</List.Item>
        ))}
      </List>
    </Stack>
  )
}

function BuildFailed({ version, duplicates }: Publication) {
  return (
    <Alert color="red" variant="light" role="alert">
      <Text size="sm">
        Version {version} could not be built, and the version before stays current: users have the same value in{' '}
        {Object.keys(duplicates ?? {}).join(', ') || 'a unique field'}. The list of versions names up to 100 of these
        users.
      </Text>
    </Alert>
  )
}

interface RefusedProps {
  readonly error: unknown
  /** A link to a problem was followed. */
  readonly onGo: () => void
  readonly retry?: () => void
}

function Refused({ error, onGo, retry }: RefusedProps) {
  return (
    <>
      {Object.keys(fieldErrorsOf(error)).length > 0 && <ProblemSummary onGo={onGo} isWhole />}
      <Problem error={error} {...(retry && { retry })} />
    </>
  )
}
