import { useSortable } from '@dnd-kit/sortable'
import { ActionIcon, Box, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import { use, useEffect, useState } from 'react'
import { counted } from '../../parts/counted.ts'
import { DragHandle, placeOf } from '../../parts/ordering/drag-handle.tsx'
import { MoveItems } from '../../parts/ordering/move-items.tsx'
import type { DraftSection } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { wordingIn } from '../languages.ts'
import { LocalizedInput } from '../localized-input.tsx'
import { OwnProblems, problemIdOf } from '../problems/own-problems.tsx'
import { ProblemContext, ProblemScope, useProblemProps } from '../problems/problem-context.tsx'
import { ProblemState } from '../problems/problem-text.tsx'
import classes from './field-row.module.css'
import { folds } from './folding.ts'

interface SectionHeadProps {
  readonly id: string
  /** null: the head of the fields that the profile page does not show. */
  readonly section: DraftSection | null
  /** Its settings are hidden while a line is dragged. */
  readonly isFolded: boolean
  /** How many fields are hidden in it while sections are dragged; null while they are visible. */
  readonly hidden: number | null
}

/** The head of a section, with the fields below it. */
export function SectionHead({ id, section, isFolded, hidden }: SectionHeadProps) {
  const owner = `section:${section?.key ?? ''}`
  const { placed, messages, target } = use(ProblemContext)
  const problems = placed.filter((one) => one.owner === owner).length
  const sortable = useSortable({ id, disabled: { draggable: section === null } })
  const [isOpen, setOpen] = useState(false)
  // Its settings open for a problem inside.
  useEffect(() => {
    if (target?.owner === owner && target.control !== owner) setOpen(true)
  }, [target, owner])
  const title = section === null ? 'Not on the profile page' : wordingIn(section.title) || section.section
  return (
    <li
      ref={sortable.setNodeRef}
      style={placeOf(sortable)}
      className={classes['section-line']}
      data-dragged={sortable.isDragging || undefined}
      data-line={id}
    >
      <div className={classes['section']}>
        {section !== null && <DragHandle sortable={sortable} title={`section ${title}`} />}
        <Text
          component="h2"
          fw={650}
          dir="auto"
          flex={1}
          ps={section === null ? 6 : 0}
          style={{ overflowWrap: 'anywhere' }}
        >
          {title}
        </Text>
        {hidden !== null && (
          <Text size="xs" c="dimmed" px="xs">
            {counted(hidden, 'field')}
          </Text>
        )}
        <ProblemState count={problems} />
        {section !== null && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Edit section ${title}`}
              aria-expanded={isOpen && !isFolded}
              data-control={owner}
              aria-describedby={messages.has(owner) ? problemIdOf(owner) : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              <IconPencil size={17} stroke={1.75} />
            </ActionIcon>
            <SectionMenu section={section} title={title} />
          </>
        )}
      </div>
      <OwnProblems owner={owner} />
      {isOpen && section !== null && (
        <Box pt={6} hidden={isFolded} {...folds}>
          <ProblemScope at={owner}>
            <SectionSettings section={section} />
          </ProblemScope>
        </Box>
      )}
    </li>
  )
}

function SectionMenu({ section: { key }, title }: { readonly section: DraftSection; readonly title: string }) {
  const { draft, edit } = useEditor()
  const index = draft.sections.findIndex((section) => section.key === key)
  const moveTo = (to: number) => () => edit({ do: 'moveSection', key, index: to })
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of section ${title}`}>
          <IconDotsVertical size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveItems
          onUp={index > 0 ? moveTo(index - 1) : undefined}
          onDown={index < draft.sections.length - 1 ? moveTo(index + 1) : undefined}
        />
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => edit({ do: 'removeSection', key })}>
          Remove, and keep its fields
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function SectionSettings({ section }: { readonly section: DraftSection }) {
  const { edit } = useEditor()
  const problem = useProblemProps()
  const change = (patch: Partial<DraftSection>) => edit({ do: 'changeSection', key: section.key, patch })
  return (
    <Stack gap="sm" className="panel" p="md">
      <LocalizedInput label="Title" at="title" text={section.title} onChange={(title) => change({ title })} />
      <LocalizedInput
        label="Description"
        at="description"
        text={section.description}
        onChange={(description) => change({ description })}
        isLong
      />
      <TextInput
        {...problem('section')}
        label="Name"
        description="For apps; users do not see it."
        ff="monospace"
        value={section.section}
        onChange={({ currentTarget }) => change({ section: currentTarget.value })}
        spellCheck={false}
      />
    </Stack>
  )
}
