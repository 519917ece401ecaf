import type * as operations from '../../contract/admin-users.ts'
import { presentSessionDevice } from '../accounts/session.ts'
import type { Handler } from '../core/handler.ts'
import type { Refuse } from '../core/service-error.ts'
import type { Storage, TenantStorage } from '../storage/storage.ts'
import { getManagedTenant } from './managed-tenant.ts'

/** `GET /admin/tenants/{t}/users/{u}/sessions`: open sessions, most recently used first. */
export const listUserSessions: Handler<typeof operations.listUserSessions> = async (
  { params },
  { now, refuse },
  { storage },
) => {
  const stores = await storesOfUser(storage, params, refuse)
  return { sessions: (await stores.sessions.listOf(params.userId, now)).map(presentSessionDevice) }
}

/** `DELETE /admin/tenants/{t}/users/{u}/sessions`: ends all of them, immediately in every process. */
export const endUserSessions: Handler<typeof operations.endUserSessions> = async (
  { params },
  { now, refuse },
  { storage },
) => {
  const stores = await storesOfUser(storage, params, refuse)
  await stores.sessions.revokeAllOf(params.userId, now)
  return undefined
}

/** `DELETE /admin/tenants/{t}/users/{u}/sessions/{s}`. */
export const endUserSession: Handler<typeof operations.endUserSession> = async (
  { params },
  { now, refuse },
  { storage },
) => {
  const stores = await storesOfUser(storage, params, refuse)
  if (!(await stores.sessions.revoke(params.userId, params.sessionId, now))) throw refuse('SESSION_NOT_FOUND')
  return undefined
}

async function storesOfUser(
  storage: Storage,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
  refuse: Refuse<'TENANT_NOT_FOUND' | 'USER_NOT_FOUND'>,
): Promise<TenantStorage> {
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  if ((await stores.users.find(userId)) === null) throw refuse('USER_NOT_FOUND')
  return stores
}
