import { ActionIcon, Box, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconArrowsShuffle, IconPlus, IconTrash } from '@tabler/icons-react'
import { use } from 'react'
import { ReorderButtons } from '../../parts/ordering/reorder-buttons.tsx'
import { useMoves } from '../../parts/ordering/use-moves.ts'
import { Empty } from '../../parts/pages/empty.tsx'
import type { Draft, ProfileMigration, StoredProfileSchema } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { OwnProblems, problemIdOf } from '../problems/own-problems.tsx'
import { ProblemContext } from '../problems/problem-context.tsx'
import { MigrationStep } from './migration-step.tsx'
import { describeMigration } from './migration-words.ts'

/** What happens to stored values when the draft is published. Renamed, retyped and removed fields add their steps. */
export function MigrationsEditor() {
  const { draft, base, edit } = useEditor()
  const { migrations } = draft
  const { messages } = use(ProblemContext)
  const described = (owner: string) => (messages.has(owner) ? { 'aria-describedby': problemIdOf(owner) } : {})
  const set = (next: readonly ProfileMigration[]) => edit({ do: 'setMigrations', migrations: next })
  const { keys, move } = useMoves(migrations, set)
  return (
    <Stack gap="sm">
      {migrations.length === 0 && (
        <div className="panel">
          <Empty title="No migration steps" Icon={IconArrowsShuffle}>
            Stored profiles keep their values. Renaming, retyping or removing a field adds its step here.
          </Empty>
        </div>
      )}
      {migrations.map((step, index) => (
        <Box key={keys[index]} className="panel" p="sm">
          <Group gap={4} wrap="nowrap" align="flex-start">
            <Text size="sm" fw={600} c="dimmed" w={22} pt={4} className="figures">
              {index + 1}
            </Text>
            <Text size="sm" flex={1} pt={4} style={{ overflowWrap: 'anywhere' }}>
              {describeMigration(step)}
            </Text>
            <ReorderButtons what={`step ${index + 1}`} index={index} count={migrations.length} onMove={move} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => set(migrations.toSpliced(index, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <OwnProblems owner={`migration:${index}`} />
          <Box
            ps={26}
            pt="xs"
            data-control={`migration:${index}`}
            role="group"
            aria-label={`Step ${index + 1}`}
            {...described(`migration:${index}`)}
          >
            <MigrationStep step={step} onChange={(next) => set(migrations.with(index, next))} />
          </Box>
        </Box>
      ))}
      <Menu position="bottom-start" width="target" withinPortal={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={16} />}>
            Add a step
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {newSteps(draft, base).map(({ label, step }) => (
            <Menu.Item key={label} onClick={() => set([...migrations, step])}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  )
}

/** The kinds of steps, with fields that exist. */
function newSteps(draft: Draft, base: StoredProfileSchema): { label: string; step: ProfileMigration }[] {
  const field = draft.fields[0]?.name ?? ''
  const other = draft.fields[1]?.name ?? field
  const from = base.components[0]?.name ?? field
  return [
    { label: 'Set a value where there is none', step: { default: { field, value: '' } } },
    { label: 'Replace values', step: { map: { field, values: {} } } },
    { label: 'Copy a value', step: { copy: { from, to: other } } },
    { label: 'Move a value', step: { rename: { from, to: other } } },
    { label: 'Split a text', step: { split: { from, separator: ' ', to: [field] } } },
    { label: 'Join texts', step: { join: { from: [from], separator: ' ', to: field } } },
    { label: 'Change the type of a value', step: { cast: { field, to: 'text' } } },
    { label: 'Delete a value', step: { drop: from } },
  ]
}
