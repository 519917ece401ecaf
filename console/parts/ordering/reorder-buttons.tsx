import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { actOf } from '../act-of.ts'

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
      {...actOf(index > 0 ? () => onMove(index, index - 1) : undefined)}
      aria-label={`Move ${what} up`}
    >
      <IconArrowUp size={16} />
    </ActionIcon>
    <ActionIcon
      {...plain}
      {...look}
      {...actOf(index < count - 1 ? () => onMove(index, index + 1) : undefined)}
      aria-label={`Move ${what} down`}
    >
      <IconArrowDown size={16} />
    </ActionIcon>
  </>
)

const plain = { variant: 'subtle', color: 'gray' } as const
