import { ActionIcon, Menu } from '@mantine/core'
import { IconBan, IconDots, IconEdit, IconRefresh } from '@tabler/icons-react'
import { validityOf } from '../parts/validity.ts'
import type { OperatorAct } from './operators.tsx'
import type { Operator } from './operators-queries.ts'

interface OperatorActionsProps {
  readonly operator: Operator
  readonly onAct: (act: OperatorAct) => void
}

/** What can be done with an operator; nothing once revoked. An expired one can get a later end. */
export function OperatorActions({ operator, onAct }: OperatorActionsProps) {
  if (validityOf(operator, Date.now()) === 'revoked') return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of the operator ${operator.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => onAct({ type: 'edit', of: operator })}>
          Change…
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => onAct({ type: 'rotate', of: operator })}>
          Rotate the key…
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBan size={16} />}
          c="var(--mantine-color-error)"
          onClick={() => onAct({ type: 'revoke', of: operator })}
        >
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
