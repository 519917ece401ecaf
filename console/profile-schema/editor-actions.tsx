import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { type Icon, IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useEditor } from './editor-context.ts'
import type { EditedDraft } from './use-draft.ts'

interface EditorActionsProps extends Pick<EditedDraft, 'editing' | 'hasChanges'> {
  readonly mayPublish: boolean
  /** Whether everything that was typed is in the draft. */
  readonly isReadable: boolean
  readonly onDiscard: () => void
  readonly onCheck: () => void
  readonly onPublish: () => void
}

/** What can be done with the draft as a whole. */
export function EditorActions(props: EditorActionsProps) {
  const { editing, hasChanges, mayPublish, isReadable, onDiscard, onCheck, onPublish } = props
  const { edit } = useEditor()
  return (
    <>
      <Group gap={4}>
        <HistoryButton
          label="Undo"
          Icon={IconArrowBackUp}
          disabled={editing.past.length === 0}
          onClick={() => edit({ do: 'undo' })}
        />
        <HistoryButton
          label="Redo"
          Icon={IconArrowForwardUp}
          disabled={editing.future.length === 0}
          onClick={() => edit({ do: 'redo' })}
        />
      </Group>
      {hasChanges && (
        <Button variant="default" onClick={onDiscard}>
          Discard
        </Button>
      )}
      <Button variant="default" disabled={!isReadable} onClick={onCheck}>
        Check
      </Button>
      {mayPublish && (
        <Button disabled={!hasChanges || !isReadable} onClick={onPublish}>
          Publish…
        </Button>
      )}
    </>
  )
}

interface HistoryButtonProps {
  readonly label: string
  readonly Icon: Icon
  readonly disabled: boolean
  readonly onClick: () => void
}

function HistoryButton({ label, Icon, disabled, onClick }: HistoryButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} aria-label={label} disabled={disabled} onClick={onClick}>
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
