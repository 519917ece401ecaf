import { type Announcements, closestCenter, DndContext, type UniqueIdentifier } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { type ReactNode, type RefObject, useRef } from 'react'
import type { ListedRow } from '../lists/listed-row.ts'
import { DragHandle, placeOf, screenReaderInstructions } from './drag-handle.tsx'
import { useDragSensors } from './use-drag-sensors.ts'

interface SortableListProps {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly rows: readonly ListedRow[]
  readonly onMove: (from: number, to: number) => void
}

/** Rows that are ordered by the mouse and by the keyboard, each by its grip. Give each row *Move up* and *Move down*, too. */
export function SortableList({ label, rows, onMove }: SortableListProps) {
  const sensors = useDragSensors()
  const hasLeft = useRef(false)
  const ids = rows.map(({ id }) => id)
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements: announce(rows, hasLeft), screenReaderInstructions }}
      onDragEnd={({ active, over }) => {
        if (over !== null && active.id !== over.id) onMove(ids.indexOf(`${active.id}`), ids.indexOf(`${over.id}`))
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className="row-list" aria-label={label}>
          {rows.map((row) => (
            <SortableRow key={row.id} {...row} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function SortableRow({ id, title, content }: ListedRow): ReactNode {
  const sortable = useSortable({ id })
  return (
    <li
      ref={sortable.setNodeRef}
      className="quiet-row"
      style={placeOf(sortable)}
      data-dragged={sortable.isDragging || undefined}
    >
      <DragHandle sortable={sortable} title={title} />
      {content}
    </li>
  )
}

/**
 * What a screen reader says while a row is moved.
 *
 * @param hasLeft whether the row was over another place: it begins over its own, which is not announced
 */
function announce(rows: readonly ListedRow[], hasLeft: RefObject<boolean>): Announcements {
  const at = (id: UniqueIdentifier) => rows.findIndex((row) => row.id === id)
  const title = (id: UniqueIdentifier) => rows[at(id)]?.title
  const place = (id: UniqueIdentifier) => `position ${at(id) + 1} of ${rows.length}`
  return {
    onDragStart({ active }) {
      hasLeft.current = false
      return `Picked up ${title(active.id)}, ${place(active.id)}.`
    },
    onDragOver({ active, over }) {
      if (over === null || (over.id === active.id && !hasLeft.current)) return undefined
      hasLeft.current = true
      return `${title(active.id)} is now at ${place(over.id)}.`
    },
    onDragEnd: ({ active, over }) => `Dropped ${title(active.id)} at ${place((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${title(active.id)} stays where it was.`,
  }
}
