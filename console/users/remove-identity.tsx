import { useQueryClient } from '@tanstack/react-query'
import type { Identity, ManagedUser } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import { identitiesQuery, readUsersAgain, type UserPath, userQuery } from './users-queries.ts'

interface RemoveIdentityProps {
  readonly path: UserPath
  readonly user: ManagedUser
  readonly identity: Identity
  /** Its name. */
  readonly way: string
  readonly onClose: () => void
}

/** Removes a way to sign in. */
export function RemoveIdentity({ path, user, identity: { id: identityId }, way, onClose }: RemoveIdentityProps) {
  const queries = useQueryClient()
  const remove = useRemoval()
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Remove “${way}”?`}
      act="Remove"
      isDestructive
      onConfirm={async () => {
        await remove(identityId, () => admin.removeUserIdentity({ ...path, identityId }))
        await Promise.all([
          queries.invalidateQueries(userQuery(path)),
          queries.invalidateQueries(identitiesQuery(path)),
          readUsersAgain(queries, path.tenantId),
        ])
        toast('The way to sign in is removed')
      }}
    >
      The user can no longer sign in to <TenantName tenantId={path.tenantId} isStrong /> with it.
      {identityId === 'email' && ' The address is removed too, and the password, which signs in with it.'}
      {identityId === 'phone' && ' The number is removed too.'}
      {identityId === 'password' &&
        user.email !== null &&
        !user.emailVerified &&
        ' Where codes do not sign in, the unverified address is removed too.'}{' '}
      Their verified addresses get a notice. Sessions stay: end them if another person may have used it.
    </Confirm>
  )
}
