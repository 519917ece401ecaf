import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { actOf } from '../act-of.ts'

interface MoveItemsProps {
  /** Undefined where it can move no further. */
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
}

/** The items of a menu that move what it belongs to in its list. */
export const MoveItems = ({ onUp, onDown }: MoveItemsProps) => (
  <>
    <Menu.Item leftSection={<IconArrowUp size={16} />} {...actOf(onUp)}>
      Move up
    </Menu.Item>
    <Menu.Item leftSection={<IconArrowDown size={16} />} {...actOf(onDown)}>
      Move down
    </Menu.Item>
  </>
)
