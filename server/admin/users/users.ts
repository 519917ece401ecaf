import type * as operations from '../../../contract/admin/users.ts'
import { eraseUser } from '../../accounts/erase-user.ts'
import { presentManagedUser } from '../../accounts/user.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { aUser } from '../../events/subjects.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/users/{u}`. */
export const getUser: Handler<typeof operations.getUser> = async (
  { params: { tenantId, userId } },
  { now, refuse },
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const user = await stores.users.find(userId)
  if (user === null) throw refuse('USER_NOT_FOUND')
  return presentManagedUser(user, now)
}

/** `DELETE /admin/tenants/{t}/users/{u}`: like the user's `DELETE /account`, but without a notice. */
export const deleteUser: Handler<typeof operations.deleteUser> = async (
  { params: { tenantId, userId } },
  call,
  { storage, counts },
) => {
  const { now, refuse } = call
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  await stores.write(async (tx) => {
    const user = await tx.users.lock(userId)
    if (user === null) throw refuse('USER_NOT_FOUND')
    await eraseUser(tx, user, { tenantId, now }, counts)
    await record(tx, call, { type: 'user.deleted', subject: aUser(userId), details: { reason: 'operator' } })
  })
  return undefined
}
