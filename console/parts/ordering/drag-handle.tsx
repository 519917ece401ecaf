import type { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'

type Sortable = ReturnType<typeof useSortable>

interface DragHandleProps {
  readonly sortable: Pick<Sortable, 'attributes' | 'listeners' | 'setActivatorNodeRef'>
  /** What it moves. */
  readonly title: string
}

/** The grip of a row, for the mouse, fingers and the keyboard. */
export const DragHandle = ({ sortable: { attributes, listeners, setActivatorNodeRef }, title }: DragHandleProps) => (
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
)

/** Where the row is while it, or another one, is moved. */
export const placeOf = ({ transform, transition }: Pick<Sortable, 'transform' | 'transition'>) => ({
  transform: CSS.Translate.toString(transform),
  transition,
})

/** What screen readers say of a grip. */
export const screenReaderInstructions = {
  draggable: 'Press Space to pick up. Move with the arrow keys, press Space to drop, or Escape to cancel.',
}
