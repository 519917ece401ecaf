import { useQueryClient } from '@tanstack/react-query'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { toast } from '../parts/pages/toast.ts'
import { Time } from '../parts/times/time.tsx'
import { admin } from '../session/admin.ts'
import { keysOf, type TenantKey } from './keys-queries.ts'

interface RevokeKeyProps {
  readonly tenantId: string
  readonly tenantKey: TenantKey
  readonly onClose: () => void
}

/** Ends a key at once. */
export function RevokeKey({ tenantId, tenantKey: { id, name, lastUsedAt }, onClose }: RevokeKeyProps) {
  const queries = useQueryClient()
  const remove = useRemoval()
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Revoke the key?"
      act="Revoke"
      isDestructive
      onConfirm={async () => {
        await remove(id, () => admin.revokeTenantKey({ tenantId, keyId: id }))
        toast('The key is revoked.')
        await queries.invalidateQueries({ queryKey: keysOf(tenantId) })
      }}
    >
      Applications that use “<bdi>{name}</bdi>” are refused at once, and for ever.{' '}
      {lastUsedAt === null ? (
        'No use of it was recorded yet; one within the last minute may be missing.'
      ) : (
        <>
          It was used <Time at={lastUsedAt} />.
        </>
      )}
    </Confirm>
  )
}
