import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { actOf } from '../parts/act-of.ts'
import { MoveItems } from '../parts/ordering/move-items.tsx'

interface SenderMenuProps {
  readonly name: string
  readonly mayChange: boolean
  /** Left out where no test can be sent; a reason where it cannot be sent now. */
  readonly test?: { readonly act: () => void; readonly refusal: string | null } | undefined
  readonly onEdit: () => void
  /** Left out at the end of the list. */
  readonly onUp?: (() => void) | undefined
  readonly onDown?: (() => void) | undefined
  readonly onRemove: () => void
}

/** What can be done with a sender. */
export function SenderMenu({ name, mayChange, test, onEdit, onUp, onDown, onRemove }: SenderMenuProps) {
  if (!mayChange && test === undefined) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" aria-label={`Actions for ${name}`} ms="auto">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={260}>
        {test !== undefined && (
          <Menu.Item leftSection={<IconSend size={16} />} {...actOf(test.refusal === null ? test.act : undefined)}>
            Send a test…{test.refusal !== null && ` (${test.refusal})`}
          </Menu.Item>
        )}
        {mayChange && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
              Edit
            </Menu.Item>
            <MoveItems onUp={onUp} onDown={onDown} />
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={onRemove}>
              Remove
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
