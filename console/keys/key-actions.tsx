import { ActionIcon, Menu } from '@mantine/core'
import { IconBan, IconDots, IconRefresh } from '@tabler/icons-react'
import { validityOf } from '../parts/validity.ts'
import type { KeyAct } from './keys.tsx'
import type { TenantKey } from './keys-queries.ts'

interface KeyActionsProps {
  readonly tenantKey: TenantKey
  readonly onAct: (act: KeyAct) => void
}

/** What can be done with a key; nothing once it has ended. */
export function KeyActions({ tenantKey, onAct }: KeyActionsProps) {
  const validity = validityOf(tenantKey, Date.now())
  if (validity === 'revoked' || validity === 'expired') return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of the key ${tenantKey.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onAct({ type: 'rotate', of: tenantKey })}>
          Rotate…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBan size={16} />}
          c="var(--mantine-color-error)"
          onClick={() => onAct({ type: 'revoke', of: tenantKey })}
        >
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
