import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import type { ListedRow } from './row-list.tsx'

interface SortableListProps {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly rows: readonly ListedRow[]
  readonly onMove: (from: number, to: number) => void
}

const screenReaderInstructions = {
  draggable: 'Press Space to pick up. Move with the arrow keys, press Space to drop, or Escape to cancel.',
}

/** Rows that are ordered by the mouse and by the keyboard, each by its grip. Give each row *Move up* and *Move down*, too. */
export function SortableList({ label, rows, onMove }: SortableListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
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
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  return (
    <li
      ref={setNodeRef}
      className="quiet-row"
      style={{ transform: CSS.Translate.toString(transform), transition }}
      data-dragged={isDragging || undefined}
    >
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
      {content}
    </li>
  )
}

/**
 * What a screen reader says while a row is moved.
 *
 * @param hasLeft whether the row was over another place: it begins over its own, which is no news
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
