import { type Announcements, closestCenter, DndContext, type DragEndEvent, type UniqueIdentifier } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { IconForms } from '@tabler/icons-react'
import { use, useCallback, useMemo, useRef } from 'react'
import { screenReaderInstructions } from '../parts/drag-handle.tsx'
import { Empty } from '../parts/empty.tsx'
import { useDragSensors } from '../parts/use-drag-sensors.ts'
import type { DraftSection } from './draft.ts'
import { useEditor } from './editor-context.ts'
import classes from './field-row.module.css'
import { FieldRow } from './field-row.tsx'
import { useFolding } from './folding.ts'
import { wordingIn } from './languages.ts'
import { type Line, linesOf, placeAt, sectionIndexAt } from './list-places.ts'
import { ProblemContext } from './problems/problem-context.tsx'
import { SectionHead } from './section-head.tsx'

/** What a line is called in announcements. */
const titleOf = (line: Line | undefined): string => {
  if (line === undefined) return ''
  if (line.kind === 'field') return wordingIn(line.field.label) || line.field.name
  return line.section === null ? 'Not on the profile page' : wordingIn(line.section.title) || line.section.section
}

/** All fields in their sections. They are moved by the mouse, by the keyboard, and by the menu of each. */
export function FieldList({ open }: { readonly open: string | null }) {
  const { draft, edit } = useEditor()
  const { placed, messages } = use(ProblemContext)
  const lines = useMemo(() => linesOf(draft), [draft])
  const now = useRef(lines)
  now.current = lines
  const list = useRef<HTMLUListElement>(null)
  const { dragged, gaps, fold, unfold } = useFolding(list)
  const isFolded = dragged !== null
  const isOfSection = dragged === 'section'
  const sensors = useDragSensors()
  const drop = useCallback(
    ({ active, over }: Pick<DragEndEvent, 'active' | 'over'>) => {
      unfold()
      if (over === null || active.id === over.id) return
      const [from, to] = [active.id, over.id].map((id) => now.current.findIndex((line) => line.id === id))
      const line = now.current[from!]
      if (line?.kind === 'field') {
        const place = placeAt(now.current, from!, to!)
        edit({ do: 'moveField', key: line.field.key, from: line.group, to: place })
      } else if (line?.section) {
        edit({ do: 'moveSection', key: line.section.key, index: sectionIndexAt(now.current, from!, to!) })
      }
    },
    [edit, unfold],
  )
  const announcements = useMemo(() => announce(() => now.current), [])
  // The same array while the order is the same: every row reads it. Sections are moved among sections only.
  const order = lines.flatMap(({ id, kind }) => (isOfSection && kind === 'field' ? [] : [id])).join(' ')
  const ids = useMemo(() => order.split(' '), [order])
  const countOf = (section: DraftSection | null) =>
    lines.filter((line) => line.kind === 'field' && line.group === (section?.key ?? null)).length
  const owned = useMemo(() => Object.groupBy(placed, ({ owner }) => owner), [placed])
  if (lines.length === 0) {
    return (
      <div className="panel">
        <Empty title="No fields yet" Icon={IconForms}>
          Add the first one. Apps build their profile form from this list.
        </Empty>
      </div>
    )
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions }}
      onDragStart={({ active }) => {
        const line = now.current.find(({ id }) => id === active.id)
        if (line !== undefined) fold(line.id, line.kind)
      }}
      onDragCancel={unfold}
      onDragEnd={drop}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul
          ref={list}
          className={classes['list']}
          aria-label="Fields"
          data-dragging={dragged ?? undefined}
          style={gaps ? { paddingBlock: `${gaps.above}px ${gaps.below}px` } : undefined}
        >
          {lines.map((line) =>
            line.kind === 'section' ? (
              <SectionHead
                key={line.id}
                id={line.id}
                section={line.section}
                count={draft.sections.length}
                isFolded={isFolded}
                hidden={isOfSection ? countOf(line.section) : null}
              />
            ) : (
              <FieldRow
                key={line.id}
                id={line.id}
                field={line.field}
                group={line.group}
                isOpen={open === line.field.key}
                isFolded={isFolded && open === line.field.key}
                isHidden={isOfSection}
                problems={owned[`field:${line.field.key}`]?.length ?? 0}
                hasOwnProblem={messages.has(`field:${line.field.key}`)}
                edit={edit}
              />
            ),
          )}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

/** What a screen reader says while a line is moved. */
function announce(now: () => readonly Line[]): Announcements {
  const find = (id: UniqueIdentifier) => now().findIndex((line) => line.id === id)
  const title = (id: UniqueIdentifier) => titleOf(now()[find(id)])
  function place(active: UniqueIdentifier, over: UniqueIdentifier): string {
    const [from, to] = [find(active), find(over)]
    const line = now()[from]
    if (line?.kind !== 'field') return `position ${sectionIndexAt(now(), from, to) + 1}`
    const { section, index } = placeAt(now(), from, to)
    const head = now().find((one) => one.kind === 'section' && (one.section?.key ?? null) === section)
    return head === undefined ? `position ${index + 1}` : `position ${index + 1} of “${titleOf(head)}”`
  }
  // Every drag begins over its own place, which is not announced.
  let isNew = false
  return {
    onDragStart({ active }) {
      isNew = true
      return `Picked up ${title(active.id)}.`
    },
    onDragOver({ active, over }) {
      const isStart = isNew && over?.id === active.id
      isNew = false
      if (isStart) return undefined
      if (over === null) return `${title(active.id)} is outside the list.`
      return `${title(active.id)} is now at ${place(active.id, over.id)}.`
    },
    onDragEnd: ({ active, over }) =>
      over ? `Dropped ${title(active.id)} at ${place(active.id, over.id)}.` : `Dropped ${title(active.id)}.`,
    onDragCancel: ({ active }) => `${title(active.id)} stays where it was.`,
  }
}
