import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { IconForms } from '@tabler/icons-react'
import { use, useCallback, useMemo, useRef } from 'react'
import { screenReaderInstructions } from '../../parts/ordering/drag-handle.tsx'
import { useDragSensors } from '../../parts/ordering/use-drag-sensors.ts'
import { Empty } from '../../parts/pages/empty.tsx'
import type { DraftSection } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { ProblemContext } from '../problems/problem-context.tsx'
import { announceMoves } from './drag-announcements.ts'
import classes from './field-row.module.css'
import { FieldRow } from './field-row.tsx'
import { useFolding } from './folding.ts'
import { dropOn, type Line, linesOf } from './list-places.ts'
import { SectionHead } from './section-head.tsx'

/** All fields in their sections. They are moved by the mouse, by the keyboard, and by the menu of each. */
export function FieldList({ open }: { readonly open: string | null }) {
  const { draft } = useEditor()
  const lines = useMemo(() => linesOf(draft), [draft])
  if (lines.length > 0) return <SortableLines lines={lines} open={open} />
  return (
    <div className="panel">
      <Empty title="No fields yet" Icon={IconForms}>
        Add the first one. Apps build their profile form from this list.
      </Empty>
    </div>
  )
}

function SortableLines({ lines, open }: { readonly lines: readonly Line[]; readonly open: string | null }) {
  const { edit } = useEditor()
  const { placed, messages } = use(ProblemContext)
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
      const move = dropOn(now.current, from!, to!)
      if (move !== null) edit(move)
    },
    [edit, unfold],
  )
  const announcements = useMemo(() => announceMoves(() => now.current), [])
  // The same array while the order is the same: every row reads it. Sections are moved among sections only.
  const order = lines.flatMap(({ id, kind }) => (isOfSection && kind === 'field' ? [] : [id])).join(' ')
  const ids = useMemo(() => order.split(' '), [order])
  const countOf = (section: DraftSection | null) =>
    lines.filter((line) => line.kind === 'field' && line.group === (section?.key ?? null)).length
  const owned = useMemo(() => Object.groupBy(placed, ({ owner }) => owner), [placed])
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
