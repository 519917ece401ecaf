import { Menu } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { CredentialMenu } from '../parts/credentials/credential-columns.tsx'
import { validityOf } from '../parts/credentials/validity.ts'
import { serverNow } from '../parts/times/server-time.ts'
import type { Operator } from './operators-queries.ts'

/** What is done with an operator at the moment. */
export type OperatorAct =
  | { readonly type: 'new' }
  | { readonly type: 'edit' | 'rotate' | 'revoke'; readonly of: Operator }

interface OperatorActionsProps {
  readonly operator: Operator
  readonly onAct: (act: OperatorAct) => void
}

/** What can be done with an operator; nothing once revoked. An expired one can get a later end. */
export function OperatorActions({ operator, onAct }: OperatorActionsProps) {
  if (validityOf(operator, serverNow()) === 'revoked') return null
  return (
    <CredentialMenu
      label={`Actions of the operator ${operator.name}`}
      rotateLabel="Rotate the key…"
      onRotate={() => onAct({ type: 'rotate', of: operator })}
      onRevoke={() => onAct({ type: 'revoke', of: operator })}
    >
      <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => onAct({ type: 'edit', of: operator })}>
        Change…
      </Menu.Item>
    </CredentialMenu>
  )
}
