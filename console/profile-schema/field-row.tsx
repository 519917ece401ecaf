import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Group, Skeleton } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { lazy, memo, Suspense } from 'react'
import { State } from '../parts/state.tsx'
import { type DraftField, isNote } from './draft.ts'
import type { EditorAction } from './editing.ts'
import { fieldKinds } from './field-kinds.ts'
import { FieldMenu } from './field-menu.tsx'
import classes from './field-row.module.css'
import { folds } from './folding.ts'
import { wordingIn } from './languages.ts'
import { problemIdOf } from './problems/own-problems.tsx'
import { ProblemState } from './problems/problem-text.tsx'

/** Loaded with the list, and waited for by nothing until a field is opened. */
const settings = import('./field-settings.tsx')
const FieldSettings = lazy(async () => ({ default: (await settings).FieldSettings }))

interface FieldRowProps {
  readonly id: string
  readonly field: DraftField
  /** The key of its section; null: none. */
  readonly group: string | null
  readonly isOpen: boolean
  /** Its settings are hidden while a line is dragged. They keep what is typed. */
  readonly isFolded: boolean
  readonly problems: number
  /** Whether one of them is about none of its controls. */
  readonly hasOwnProblem: boolean
  readonly edit: (action: EditorAction) => void
}

/** A field of the list: opened, it shows its settings. A schema has up to 200, and one changes with each key. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { id, field, group, isOpen, isFolded, problems } = props
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  const title = wordingIn(field.label) || field.name
  return (
    <li
      ref={setNodeRef}
      className={classes['row']}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      data-open={(isOpen && !isFolded) || undefined}
      data-dragged={isDragging || undefined}
      data-problem={problems > 0 || undefined}
      data-field={field.name}
      data-line={id}
    >
      <div className={classes['head']}>
        <ActionIcon
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          variant="subtle"
          color="gray"
          aria-label={`Move ${title}`}
          style={{ cursor: 'grab', touchAction: 'none' }}
        >
          <IconGripVertical size={18} stroke={1.75} />
        </ActionIcon>
        <RowButton {...props} />
        <FieldMenu field={field} group={group} />
      </div>
      {isOpen && (
        <section
          className={classes['settings']}
          id={`settings-${field.key}`}
          aria-label={`Settings of ${title}`}
          hidden={isFolded}
          {...folds}
        >
          <Suspense fallback={<Skeleton height={320} radius="md" />}>
            <FieldSettings field={field} />
          </Suspense>
        </section>
      )}
    </li>
  )
})

/** Does not change while another row is moved. */
const RowButton = memo(function RowButton({ field, isOpen, isFolded, problems, hasOwnProblem, edit }: FieldRowProps) {
  const label = wordingIn(field.label)
  return (
    <button
      type="button"
      className={classes['main']}
      aria-expanded={isOpen && !isFolded}
      data-control={`field:${field.key}`}
      aria-describedby={isOpen && hasOwnProblem ? problemIdOf(`field:${field.key}`) : undefined}
      aria-controls={isOpen ? `settings-${field.key}` : undefined}
      onClick={() => edit({ do: 'open', key: isOpen ? null : field.key })}
    >
      <span className={classes['texts']}>
        {label !== '' && <bdi style={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{label}</bdi>}
        <span className={label === '' ? undefined : classes['name']} style={{ fontWeight: label === '' ? 600 : 400 }}>
          {field.name}
        </span>
      </span>
      <Group gap={6} component="span">
        <ProblemState count={problems} />
        {field.required && <State tone="good">required</State>}
        {field.unique && <State tone="info">unique</State>}
        {field.visibleWhen !== undefined && <State tone="quiet">conditional</State>}
        {isNote(field) ? (
          <State tone="warn">note</State>
        ) : (
          field.writable === false && <State tone="info">operator</State>
        )}
        <State tone="quiet">{fieldKinds[field.type].label}</State>
      </Group>
    </button>
  )
})
