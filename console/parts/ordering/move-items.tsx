import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

interface MoveItemsProps {
  /** Undefined where it can move no further. */
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
}

/** The items of a menu that move what it belongs to in its list. */
export const MoveItems = ({ onUp, onDown }: MoveItemsProps) => (
  <>
    <Menu.Item leftSection={<IconArrowUp size={16} />} disabled={onUp === undefined} onClick={onUp}>
      Move up
    </Menu.Item>
    <Menu.Item leftSection={<IconArrowDown size={16} />} disabled={onDown === undefined} onClick={onDown}>
      Move down
    </Menu.Item>
  </>
)
