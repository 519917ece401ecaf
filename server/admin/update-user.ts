import type { z } from 'zod'
import type { updateUser as operation } from '../../contract/admin-users.ts'
import { notifyUser } from '../accounts/notify-user.ts'
import { type Address, presentManagedUser, type User } from '../accounts/user.ts'
import type { AdminCall, Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import type { Tx } from '../storage/storage.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { readRestrictions, readSuspension } from './restrictions.ts'
import { factsOfUpdate } from './user-facts.ts'
import { sessionEnded } from './user-sessions.ts'

/** `PATCH /admin/tenants/{t}/users/{u}`: restricts or suspends the user, or replaces an address; all or nothing. */
export const updateUser: Handler<typeof operation> = async ({ params: { tenantId, userId }, body }, call, services) => {
  const { now, refuse } = call
  const { tenant, stores } = await getManagedTenant(services.storage, tenantId, refuse)
  const { email, phone } = body
  const addresses = [...(email === undefined ? [] : [{ email }]), ...(phone === undefined ? [] : [{ phone }])]
  const context = { now, snapshot: await services.snapshots.of(tenant), storage: stores, acceptLanguage: undefined }
  const user = await stores.write(async (tx) => {
    const before = await tx.users.lock(userId)
    if (before === null) return null
    if (addresses.length > 0) {
      const changed = await replaceAddresses(tx, before, addresses, call)
      for (const kind of changed) await notifyUser(tx, before, kind, context, services)
    }
    const after = await tx.users.restrict(userId, readChanges(body), now)
    if (after !== null) for (const fact of factsOfUpdate(before, after)) await record(tx, call, fact)
    return after
  })
  if (user === null) throw refuse('USER_NOT_FOUND')
  return presentManagedUser(user, now)
}

type AddressRefusal = 'EMAIL_ALREADY_REGISTERED' | 'PHONE_ALREADY_REGISTERED'

/**
 * Gives the user verified addresses. Unlike a change by the user, the notice to an old address has no code that restores
 * it: the operator may be returning an account that someone else took over.
 */
async function replaceAddresses(
  tx: Tx,
  before: User,
  addresses: readonly Address[],
  call: AdminCall<AddressRefusal>,
): Promise<readonly ('email_changed' | 'phone_changed')[]> {
  const { now, refuse } = call
  const changed: ('email_changed' | 'phone_changed')[] = []
  for (const address of addresses) {
    const isEmail = 'email' in address
    if (!(await tx.users.setAddress(before.id, address, now))) {
      throw refuse(isEmail ? 'EMAIL_ALREADY_REGISTERED' : 'PHONE_ALREADY_REGISTERED')
    }
    const isSame = isEmail ? before.email === address.email : before.phone === address.phone
    if (!isSame) changed.push(isEmail ? 'email_changed' : 'phone_changed')
  }
  if (changed.length > 0) await tx.otps.cancelLive(before.id, now)
  // A guest's device must not stay signed in to the account of the person with the address.
  const ended = before.guest ? await tx.sessions.revokeAllOf(before.id, now) : []
  for (const session of ended) await record(tx, call, sessionEnded(before.id, session))
  return changed
}

function readChanges({ restrictedCapabilities, restrictions, suspension }: z.output<typeof operation.body>) {
  const given = restrictions ?? restrictedCapabilities?.map((capability) => ({ capability }))
  return {
    ...(given && { restrictions: readRestrictions(given) }),
    ...(suspension !== undefined && { suspension: suspension && readSuspension(suspension) }),
  }
}
