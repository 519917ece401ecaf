import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

interface ReorderButtonsProps {
  /** What moves, such as "step 1". */
  readonly what: string
  readonly index: number
  /** How many there are. */
  readonly count: number
  readonly onMove: (from: number, to: number) => void
  /** How the buttons look, where they are not like all others. */
  readonly look?: Pick<ActionIconProps, 'size' | 'className'>
}

/** Buttons that move an item of a short list up and down. */
export const ReorderButtons = ({ what, index, count, onMove, look }: ReorderButtonsProps) => (
  <>
    <ActionIcon
      {...plain}
      {...look}
      {...moves(index > 0, () => onMove(index, index - 1))}
      aria-label={`Move ${what} up`}
    >
      <IconArrowUp size={16} />
    </ActionIcon>
    <ActionIcon
      {...plain}
      {...look}
      {...moves(index < count - 1, () => onMove(index, index + 1))}
      aria-label={`Move ${what} down`}
    >
      <IconArrowDown size={16} />
    </ActionIcon>
  </>
)

/** A button keeps the focus when its item has arrived at an end of the list: one that is `disabled` loses it. */
const moves = (canMove: boolean, move: () => void) =>
  canMove ? { onClick: move } : { 'aria-disabled': true, 'data-disabled': true }

const plain = { variant: 'subtle', color: 'gray' } as const
