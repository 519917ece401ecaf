import { useSortable } from '@dnd-kit/sortable'
import { Group, Skeleton } from '@mantine/core'
import { lazy, memo, Suspense, useState } from 'react'
import { DragHandle, placeOf } from '../../parts/ordering/drag-handle.tsx'
import { State } from '../../parts/state.tsx'
import { type DraftField, isNote } from '../draft.ts'
import type { EditorAction } from '../editing.ts'
import { wordingIn } from '../languages.ts'
import { problemIdOf } from '../problems/own-problems.tsx'
import { ProblemState } from '../problems/problem-text.tsx'
import { fieldKinds } from './field-kinds.ts'
import { FieldMenu } from './field-menu.tsx'
import classes from './field-row.module.css'
import type { FieldSettings } from './field-settings.tsx'
import { folds } from './folding.ts'

/** Loaded with the list, and waited for by nothing until a field is opened. */
const settings = import('./field-settings.tsx')
const LateSettings = lazy(async () => ({ default: (await settings).FieldSettings }))
let Loaded: typeof FieldSettings | undefined
settings.then(
  (file) => {
    Loaded = file.FieldSettings
  },
  // The first field that is opened says so.
  () => {},
)

/** At once if they are loaded: after a skeleton, what is below would move once more, out of view. */
function Settings({ field }: { readonly field: DraftField }) {
  const [Shown] = useState(() => Loaded ?? LateSettings)
  return <Shown field={field} />
}

interface FieldRowProps {
  readonly id: string
  readonly field: DraftField
  /** The key of its section; null: none. */
  readonly group: string | null
  readonly isOpen: boolean
  /** Its settings are hidden while a line is dragged. They keep what is typed. */
  readonly isFolded: boolean
  /** The row is inside its section while sections are dragged. */
  readonly isHidden: boolean
  readonly problems: number
  /** Whether one of them is about none of its controls. */
  readonly hasOwnProblem: boolean
  readonly edit: (action: EditorAction) => void
}

/** A field of the list: opened, it shows its settings. A schema has up to 200, and one changes with each key. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { id, field, group, isOpen, isFolded, isHidden, problems } = props
  // Nothing is dropped on a row that cannot be seen.
  const sortable = useSortable({ id, disabled: { droppable: isHidden } })
  const title = wordingIn(field.label) || field.name
  return (
    <li
      ref={sortable.setNodeRef}
      className={classes['row']}
      style={placeOf(sortable)}
      hidden={isHidden}
      data-open={(isOpen && !isFolded) || undefined}
      data-dragged={sortable.isDragging || undefined}
      data-problem={problems > 0 || undefined}
      data-field={field.name}
      data-line={id}
    >
      <div className={classes['head']}>
        <DragHandle sortable={sortable} title={title} />
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
            <Settings field={field} />
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
      <Group gap={6} component="span" className={classes['states'] ?? ''}>
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
