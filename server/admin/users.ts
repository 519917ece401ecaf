import * as operations from '../../contract/admin-users.ts'
import { normaliseEmail } from '../../contract/email-address.ts'
import { presentManagedUser } from '../accounts/user.ts'
import type { Handler } from '../handler.ts'
import { invalid, refusalsOf } from '../service-error.ts'
import type { Storage } from '../storage/storage.ts'
import type { PageRequest } from '../tenants/tenant.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { pageOf } from './pages.ts'

const refuseGet = refusalsOf(operations.getUser)
const refuseUpdate = refusalsOf(operations.updateUser)
const refuseDelete = refusalsOf(operations.deleteUser)

/** `GET /admin/tenants/{t}/users`: all of them, or the one with the address given. */
export const listUsers =
  (storage: Storage): Handler<typeof operations.listUsers> =>
  async ({ params, query }) => {
    const email = query.email === undefined ? null : normaliseEmail(query.email)
    if (query.email !== undefined && email === null) throw invalid({ email: 'Invalid email' })
    const list = async (request: PageRequest) =>
      (await getManagedTenant(storage, params.tenantId)).stores.users.list({ ...request, email })
    return pageOf(query, list, presentManagedUser)
  }

/** `GET /admin/tenants/{t}/users/{u}`. */
export const getUser =
  (storage: Storage): Handler<typeof operations.getUser> =>
  async ({ params: { tenantId, userId } }) => {
    const { stores } = await getManagedTenant(storage, tenantId)
    const user = await stores.users.find(userId)
    if (user === null) throw refuseGet('USER_NOT_FOUND')
    return presentManagedUser(user)
  }

/** `PATCH /admin/tenants/{t}/users/{u}`: what the user may not do. */
export const updateUser =
  (storage: Storage): Handler<typeof operations.updateUser> =>
  async ({ params: { tenantId, userId }, body: { restrictedCapabilities } }, { now }) => {
    const { stores } = await getManagedTenant(storage, tenantId)
    const user =
      restrictedCapabilities === undefined
        ? await stores.users.find(userId)
        : await stores.users.restrict(userId, [...new Set(restrictedCapabilities)], now)
    if (user === null) throw refuseUpdate('USER_NOT_FOUND')
    return presentManagedUser(user)
  }

/**
 * `DELETE /admin/tenants/{t}/users/{u}`: user and profile go, live one-time passwords are cancelled, in one
 * transaction. The sessions stay, so that TOKEN_USER_NOT_FOUND can be told (design 6).
 */
export const deleteUser =
  (storage: Storage): Handler<typeof operations.deleteUser> =>
  async ({ params: { tenantId, userId } }, { now }) => {
    const { stores } = await getManagedTenant(storage, tenantId)
    const removed = await stores.write(async (tx) => {
      if (!(await tx.users.remove(userId))) return false
      await tx.profiles.remove(userId)
      await tx.otps.cancelLive(userId, null, now)
      return true
    })
    if (!removed) throw refuseDelete('USER_NOT_FOUND')
    return undefined
  }
