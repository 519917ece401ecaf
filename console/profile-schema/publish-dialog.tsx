import { Alert, Button, Group, List, Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { fieldErrorsOf } from '../parts/form-errors.ts'
import { Problem } from '../parts/problem.tsx'
import { CheckReport } from './check-report.tsx'
import type { Draft } from './draft.ts'
import { useEditor } from './editor-context.ts'
import { describeMigration } from './migration-words.ts'
import { ProblemSummary } from './problems/problem-summary.tsx'
import {
  type CurrentSchema,
  checkDraft,
  type OtherVersion,
  type Publication,
  publishDraft,
  type CheckReport as Report,
  readCurrentSchema,
  stepsSince,
  versionsQuery,
} from './schema-queries.ts'
import { versionAfter } from './version-after.ts'

interface PublishDialogProps {
  readonly isCheckOnly: boolean
  /** The revision of the tenant that the draft began from. */
  readonly etag: string | undefined
  /** The version that the draft continues is current, with another revision. */
  readonly onCurrent: (current: CurrentSchema) => void
  readonly onClose: () => void
  /** What the server refuses of a draft. */
  readonly onProblems: (problems: Readonly<Record<string, string>>, checked: Draft) => void
  readonly onPublished: (publication: Publication) => Promise<void>
  /** Another operator has published since. */
  readonly onConflict: (theirs: OtherVersion) => void
}

/** Always checks first. What the check finds is shown before anything is published, and named on the button. */
export function PublishDialog(props: PublishDialogProps) {
  const { isCheckOnly, etag, onCurrent, onClose, onProblems, onPublished, onConflict } = props
  const { tenantId, draft, base, edit } = useEditor()
  const [checked] = useState<Draft>(() => draft)
  const versions = useQuery(versionsQuery(tenantId)).data?.items.map(({ version }) => version) ?? []
  const suggested = versionAfter(base.version, versions, new Date().toISOString().slice(0, 10))
  const name = draft.version ?? suggested
  const check = useQuery({
    queryKey: ['checkProfileSchema', { tenantId }, checked],
    queryFn: async ({ signal }) => {
      try {
        const report = await checkDraft(tenantId, checked, signal)
        onProblems({}, checked)
        return report
      } catch (error) {
        onProblems(fieldErrorsOf(error), checked)
        throw error
      }
    },
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
  })
  const publish = useMutation({
    mutationFn: async () => {
      const named = name === undefined || name === '' ? { ...draft, version: undefined } : { ...draft, version: name }
      try {
        return await publishDraft(tenantId, named, etag)
      } catch (error) {
        if (!(error instanceof TenantryError) || error.code !== 'PRECONDITION_FAILED') throw error
        const theirs = await readCurrentSchema(tenantId)
        // Something else of the tenant has changed: its schema is the one that the draft began from.
        if (theirs.schema.version === base.version) {
          onCurrent(theirs)
          return publishDraft(tenantId, named, theirs.etag)
        }
        onConflict({ current: theirs, steps: await stepsSince(tenantId, base, theirs.schema) })
        throw error
      }
    },
    onSuccess: onPublished,
    onError: (error) => onProblems(fieldErrorsOf(error), draft),
  })
  const failed = publish.data?.state === 'failed' ? publish.data : undefined
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{isCheckOnly ? 'Check' : 'Publish a version'}</Text>}
    >
      <Stack>
        {check.isPending && (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">Checking every stored profile against the draft…</Text>
          </Group>
        )}
        {check.isError && <Refused error={check.error} onGo={onClose} retry={() => void check.refetch()} />}
        {check.isSuccess && <CheckReport report={check.data} />}
        {check.isSuccess && !isCheckOnly && (
          <>
            {draft.migrations.length > 0 && (
              <Stack gap={6}>
                <Text size="sm" fw={600}>
                  What happens to stored values
                </Text>
                <List size="sm" spacing={4} type="ordered">
                  {draft.migrations.map((step, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: steps run in this order
                    <List.Item key={index}>{describeMigration(step)}</List.Item>
                  ))}
                </List>
              </Stack>
            )}
            <TextInput
              label="Version"
              description="Left empty, the next number."
              placeholder="The next number"
              value={name ?? ''}
              onChange={({ currentTarget }) => edit({ do: 'setVersion', version: currentTarget.value })}
              spellCheck={false}
              autoComplete="off"
            />
          </>
        )}
        {publish.isError && <Refused error={publish.error} onGo={onClose} />}
        {failed !== undefined && (
          <Alert color="red" variant="light" role="alert">
            <Text size="sm">
              Version {failed.version} could not be built, and the version before stays current: users have the same
              value in {Object.keys(failed.duplicates ?? {}).join(', ') || 'a unique field'}. The list of versions names
              up to 100 of these users.
            </Text>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
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

interface PublishButtonProps {
  readonly report: Report
  readonly name: string | undefined
  readonly isBusy: boolean
  readonly onPublish: () => void
}

/** Names what breaks. */
function PublishButton({ report, name, isBusy, onPublish }: PublishButtonProps) {
  const { failingProfiles, changes } = report
  const version = name === undefined || name === '' ? 'the next version' : `version ${name}`
  if (failingProfiles > 0) {
    const profiles = failingProfiles === 1 ? '1 profile fails' : `${failingProfiles.toLocaleString()} profiles fail`
    return (
      <Button color="red.8" loading={isBusy} onClick={onPublish}>
        Publish although {profiles}
      </Button>
    )
  }
  const breaks = changes.some(({ kind }) => kind === 'removed' || kind === 'retyped')
  return (
    <Button loading={isBusy} onClick={onPublish} {...(breaks && { color: 'red.8' })}>
      {breaks ? `Publish ${version} with breaking changes` : `Publish ${version}`}
    </Button>
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
