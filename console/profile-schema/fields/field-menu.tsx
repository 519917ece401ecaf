import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDotsVertical, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { MoveItems } from '../../parts/ordering/move-items.tsx'
import { type DraftField, isNote } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { wordingIn } from '../languages.ts'
import { linesOf, placeBeside } from './list-places.ts'
import type { FieldPlace } from './move-field.ts'
import { RemoveField } from './remove-field.tsx'

interface FieldMenuProps {
  readonly field: DraftField
  readonly group: string | null
}

/** What can be done with a field. Moving it here needs no dragging. */
export const FieldMenu = memo(function FieldMenu({ field, group }: FieldMenuProps) {
  const [isUsed, setUsed] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const title = wordingIn(field.label) || field.name
  const icon = <IconDotsVertical size={18} stroke={1.75} />
  const button = { variant: 'subtle', color: 'gray', 'aria-label': `Actions of ${title}` } as const
  if (!isUsed) {
    // A list of 200 menus that most of the time stay closed is slow.
    return (
      <ActionIcon {...button} aria-haspopup="menu" onClick={() => setUsed(true)}>
        {icon}
      </ActionIcon>
    )
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} defaultOpened>
        <Menu.Target>
          <ActionIcon {...button}>{icon}</ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Items field={field} group={group} onRemove={() => setRemoving(true)} />
        </Menu.Dropdown>
      </Menu>
      <RemoveField field={field} isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </>
  )
})

interface ItemsProps extends FieldMenuProps {
  readonly onRemove: () => void
}

/** Rendered while the menu is open. */
function Items({ field, group, onRemove }: ItemsProps) {
  const { draft, edit } = useEditor()
  const { key } = field
  const lines = linesOf(draft)
  const at = lines.findIndex((line) => line.kind === 'field' && line.field.key === key && line.group === group)
  const [up, down] = [placeBeside(lines, at, -1), placeBeside(lines, at, 1)]
  const moveTo = (to: FieldPlace) => () => edit({ do: 'moveField', key, from: group, to })
  const others = draft.sections.filter((section) => section.key !== group)
  return (
    <>
      <MoveItems onUp={up === null ? undefined : moveTo(up)} onDown={down === null ? undefined : moveTo(down)} />
      {!isNote(field) &&
        others.map((section) => (
          <Menu.Item
            key={section.key}
            leftSection={<IconFolderSymlink size={16} />}
            onClick={moveTo({ section: section.key, index: section.fields.length })}
          >
            Move to “{wordingIn(section.title) || section.section}”
          </Menu.Item>
        ))}
      {group !== null && (
        <Menu.Item leftSection={<IconFolderSymlink size={16} />} onClick={moveTo({ section: null, index: 0 })}>
          Take off the profile page
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconCopy size={16} />}
        onClick={() => edit({ do: 'duplicateField', key, section: group })}
      >
        Duplicate
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={16} />} color="var(--mantine-color-error)" onClick={onRemove}>
        Remove…
      </Menu.Item>
    </>
  )
}
