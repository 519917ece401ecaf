import { Alert, Box, Button, Group, List, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Draft, documentOf, type ProfileMigration, type StoredProfileSchema } from './draft.ts'
import { useEditor } from './editor-context.ts'
import classes from './fields/field-row.module.css'
import { conflictTitle, shownValue } from './merge/conflict-words.ts'
import type { Choice, Choices, Conflict } from './merge/conflicts.ts'
import { mergeDrafts } from './merge/merge-drafts.ts'
import { Differences } from './versions/differences.tsx'
import { documentChanges } from './versions/document-changes.ts'

interface MergeDialogProps {
  /** What another operator has published since the draft was begun. */
  readonly theirs: StoredProfileSchema
  /** The migrations from the version that the draft continues to theirs. */
  readonly steps: readonly ProfileMigration[]
  readonly onMerge: (merged: Draft) => void
  readonly onShowTheirs: () => void
  readonly onClose: () => void
}

/** Both are kept: what does not contradict is merged, and the operator decides about the rest. */
export function MergeDialog({ theirs, steps, onMerge, onShowTheirs, onClose }: MergeDialogProps) {
  const { base, draft: mine } = useEditor()
  const [choices, setChoices] = useState<Choices>({})
  const { draft, conflicts, notices } = useMemo(
    () => mergeDrafts({ base, mine, theirs, steps, choices }),
    [base, mine, theirs, steps, choices],
  )
  const open = conflicts.filter(({ id }) => choices[id] === undefined).length
  const chooseAll = (choice: Choice) => setChoices(Object.fromEntries(conflicts.map(({ id }) => [id, choice])))
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      size="xl"
      title={<Text fw={650}>Another operator published version {theirs.version}</Text>}
    >
      <Stack>
        <Text size="sm">
          {conflicts.length === 0
            ? 'Your changes and theirs fit together. Merging puts both into your draft; nothing is published yet.'
            : 'Nothing of yours is published yet, and nothing is lost. Decide what both of you changed; everything else merges.'}
        </Text>
        {conflicts.length > 1 && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => chooseAll('mine')}>
              Keep mine everywhere
            </Button>
            <Button size="xs" variant="default" onClick={() => chooseAll('theirs')}>
              Take theirs everywhere
            </Button>
          </Group>
        )}
        {conflicts.map((conflict) => (
          <Decision
            key={conflict.id}
            conflict={conflict}
            choice={choices[conflict.id]}
            onChoose={(choice) => setChoices((before) => ({ ...before, [conflict.id]: choice }))}
          />
        ))}
        {notices.length > 0 && (
          <Alert color="yellow" variant="light" p="sm" title="What does not fit to their version">
            <List size="sm" spacing={4}>
              {notices.map((notice) => (
                <List.Item key={notice}>{notice}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <div className={classes['columns']}>
          <Changes title="Their changes" before={base} after={theirs} />
          <Changes title="Your changes" before={base} after={documentOf(mine)} />
        </div>
        <Text size="xs" c="dimmed">
          “Show theirs” leaves your draft and opens their version. After either, Undo brings your draft back.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {open > 0 && `${conflicts.length - open} of ${conflicts.length} decided`}
          </Text>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="default" onClick={onShowTheirs}>
            Show theirs
          </Button>
          <Button disabled={open > 0} onClick={() => onMerge(draft)}>
            Merge
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface ChangesProps {
  readonly title: string
  readonly before: StoredProfileSchema
  readonly after: Parameters<typeof documentChanges>[1]
}

function Changes({ title, before, after }: ChangesProps) {
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Differences changes={documentChanges(before, after)} />
    </Stack>
  )
}

interface DecisionProps {
  readonly conflict: Conflict
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

function Decision({ conflict, choice, onChoose }: DecisionProps) {
  return (
    <Box className="panel" p="sm">
      <Radio.Group
        label={conflictTitle(conflict)}
        styles={{ label: { overflowWrap: 'anywhere' } }}
        value={choice ?? null}
        onChange={(value) => onChoose(value as Choice)}
      >
        <div className={classes['choices']}>
          <Side value="mine" label="Keep mine" text={shownValue(conflict, conflict.mine)} />
          <Side value="theirs" label="Take theirs" text={shownValue(conflict, conflict.theirs)} />
        </div>
      </Radio.Group>
    </Box>
  )
}

function Side({ value, label, text }: { readonly value: Choice; readonly label: string; readonly text: string }) {
  return (
    <Radio
      value={value}
      label={label}
      description={<bdi style={{ overflowWrap: 'anywhere' }}>{text}</bdi>}
      styles={{ description: { fontSize: 'var(--mantine-font-size-sm)' } }}
    />
  )
}
