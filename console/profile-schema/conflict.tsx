import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Differences } from './differences.tsx'
import { documentChanges } from './document-changes.ts'
import { documentOf, type StoredProfileSchema } from './draft.ts'
import { useEditor } from './editor-context.ts'

interface ConflictProps {
  /** What another operator has published since the draft was begun. */
  readonly theirs: StoredProfileSchema
  readonly onKeepMine: () => void
  readonly onShowTheirs: () => void
}

/** Both are kept: the other version is published, and the draft stays here until the operator decides. */
export function Conflict({ theirs, onKeepMine, onShowTheirs }: ConflictProps) {
  const { base, draft } = useEditor()
  return (
    <Modal
      opened
      onClose={onKeepMine}
      withCloseButton={false}
      closeOnClickOutside={false}
      size="lg"
      title={<Text fw={650}>Another operator published version {theirs.version}</Text>}
    >
      <Stack>
        <Text size="sm">Nothing of yours is published yet, and nothing is lost.</Text>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            Their changes
          </Text>
          <Differences changes={documentChanges(base, theirs)} />
        </Stack>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            Your changes
          </Text>
          <Differences changes={documentChanges(base, documentOf(draft))} />
        </Stack>
        <Text size="sm" c="dimmed">
          “Keep mine” goes on with your draft: published, it replaces their version as a whole. “Show theirs” opens
          their version; Undo brings your draft back.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onShowTheirs}>
            Show theirs
          </Button>
          <Button onClick={onKeepMine}>Keep mine</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
