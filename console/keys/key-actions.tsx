import { CredentialMenu } from '../parts/credentials/credential-columns.tsx'
import { validityOf } from '../parts/credentials/validity.ts'
import { serverNow } from '../parts/times/server-time.ts'
import type { TenantKey } from './keys-queries.ts'

/** What is done with a key at the moment. */
export type KeyAct =
  | { readonly type: 'new' }
  | { readonly type: 'rotate'; readonly of: TenantKey }
  | { readonly type: 'revoke'; readonly of: TenantKey }

interface KeyActionsProps {
  readonly tenantKey: TenantKey
  readonly onAct: (act: KeyAct) => void
}

/** What can be done with a key; nothing once it has ended. */
export function KeyActions({ tenantKey, onAct }: KeyActionsProps) {
  const validity = validityOf(tenantKey, serverNow())
  if (validity === 'revoked' || validity === 'expired') return null
  return (
    <CredentialMenu
      label={`Actions of the key ${tenantKey.name}`}
      rotateLabel="Rotate…"
      onRotate={() => onAct({ type: 'rotate', of: tenantKey })}
      onRevoke={() => onAct({ type: 'revoke', of: tenantKey })}
    />
  )
}
