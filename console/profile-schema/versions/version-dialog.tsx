import { Alert, Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { JsonEditor } from '../../parts/json-editor/json-editor.tsx'
import { Problem } from '../../parts/pages/problem.tsx'
import { Time } from '../../parts/times/time.tsx'
import { type Draft, draftOf } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { versionQuery } from '../schema-queries.ts'
import { VersionState } from './version-state.tsx'

interface VersionDialogProps {
  readonly tenantId: string
  /** The version in the address. */
  readonly version: string
  /** Its content becomes the draft of the next version. */
  readonly onStart: (draft: Draft) => void
  readonly onClose: () => void
}

/** A version as it was published. Its content can become the draft of the next one. */
export function VersionDialog(props: VersionDialogProps) {
  const { version, onClose } = props
  return (
    <Modal opened onClose={onClose} size="xl" title={<Text fw={650}>Version {version}</Text>}>
      <Published {...props} />
    </Modal>
  )
}

function Published({ tenantId, version, onStart, onClose }: VersionDialogProps) {
  const { draft } = useEditor()
  const query = useQuery(versionQuery(tenantId, version))
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton height={320} radius="md" />
  const { state, publishedAt, publishedBy, conflicts = [], ...document } = query.data
  return (
    <Stack>
      <Group gap="sm">
        <VersionState state={state} />
        <Text size="sm" c="dimmed" component="div">
          Published <Time at={publishedAt} />
          {publishedBy !== null && <> by {publishedBy}</>}. It never changes.
        </Text>
      </Group>
      {conflicts.length > 0 && (
        <Alert color="red" variant="light">
          <Text size="sm" mb={6}>
            Users with the same value of a unique field:
          </Text>
          <List size="sm" spacing={4}>
            {conflicts.map(({ field, userIds }) => (
              <List.Item key={`${field} ${userIds.join()}`}>
                {field}:{' '}
                {userIds.map((userId, index) => (
                  <span key={userId}>
                    {index > 0 && ' and '}
                    <Link to="/tenants/$tenantId/users/$userId" params={{ tenantId, userId }}>
                      {userId}
                    </Link>
                  </span>
                ))}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <JsonEditor label={`Version ${version} as JSON`} value={JSON.stringify(document, null, 2)} maxHeight="50dvh" />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          onClick={() => {
            onStart(draftOf({ ...document, version: undefined, migrations: [] }, draft))
            onClose()
          }}
        >
          Start a draft from it
        </Button>
      </Group>
    </Stack>
  )
}
