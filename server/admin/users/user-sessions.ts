import type * as operations from '../../../contract/admin/users.ts'
import { endAttempts } from '../../accounts/end-attempts.ts'
import { endOneSession, endSessionsOf } from '../../accounts/sessions/end-sessions.ts'
import { presentSessionDevice } from '../../accounts/sessions/session.ts'
import type { Handler } from '../../core/handler.ts'
import type { Refuse } from '../../core/service-error.ts'
import type { Storage, TenantStorage } from '../../storage/storage.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/users/{u}/sessions`: open sessions, most recently used first. */
export const listUserSessions: Handler<typeof operations.listUserSessions> = async (
  { params },
  { now, refuse },
  { storage },
) => {
  const stores = await storesOfUser(storage, params, refuse)
  return { sessions: (await stores.sessions.listOf(params.userId, now)).map(presentSessionDevice) }
}

/** `DELETE /admin/tenants/{t}/users/{u}/sessions`: ends all of them, immediately in every process, and what they began. */
export const endUserSessions: Handler<typeof operations.endUserSessions> = async (
  { params },
  call,
  { storage, snapshots, counts, clock },
) => {
  const { tenantId, userId } = params
  const { tenant, stores } = await getManagedTenant(storage, tenantId, call.refuse)
  const snapshot = await snapshots.of(tenant)
  await stores.write(async (tx) => {
    const user = await tx.users.lock(userId)
    if (user === null) throw call.refuse('USER_NOT_FOUND')
    // Together: on PostgreSQL each would be a round trip.
    await Promise.all([
      // A thief who read the owner's mail may have a code that resets the password.
      tx.otps.cancelLive(userId, call.now),
      endSessionsOf(tx, userId, { ...call, tenantId }, counts, { reason: 'operator' }),
      endAttempts(tx, user, snapshot, clock),
    ])
  })
  return undefined
}

/** `DELETE /admin/tenants/{t}/users/{u}/sessions/{s}`. */
export const endUserSession: Handler<typeof operations.endUserSession> = async (
  { params },
  call,
  { storage, counts },
) => {
  const { tenantId, userId, sessionId } = params
  const stores = await storesOfUser(storage, params, call.refuse)
  await stores.write(async (tx) => {
    const isEnded = await endOneSession(tx, userId, sessionId, { ...call, tenantId }, counts, { reason: 'operator' })
    if (!isEnded) throw call.refuse('SESSION_NOT_FOUND')
  })
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
