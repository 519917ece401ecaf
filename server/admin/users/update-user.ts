import type { z } from 'zod'
import type { updateUser as operation } from '../../../contract/admin/users.ts'
import { kindOf, registered, verifiedAt } from '../../accounts/addresses/address.ts'
import { notifyUser } from '../../accounts/notify-user.ts'
import { isSuspended } from '../../accounts/restriction.ts'
import { endSessionsOf } from '../../accounts/sessions/end-sessions.ts'
import { type Address, type AddressKind, presentManagedUser, type User } from '../../accounts/user.ts'
import type { AdminCall } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { allUndoCodes } from '../../otp/undo-codes.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../storage/storage.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { readRestrictions, readSuspension } from '../restrictions.ts'
import { factsOfUpdate } from './user-facts.ts'

/** `PATCH /admin/tenants/{t}/users/{u}`: restricts or suspends the user, or replaces an address; all or nothing. */
export const updateUser: Handler<typeof operation> = async ({ params: { tenantId, userId }, body }, call, services) => {
  const { now, refuse } = call
  const { tenant, stores } = await getManagedTenant(services.storage, tenantId, refuse)
  const validation = endedBefore(now, body)
  if (Object.keys(validation).length > 0) throw refuse('VALIDATION_ERROR', { validation })
  const addresses = addressChangesOf(body)
  const context = { now, snapshot: await services.snapshots.of(tenant), storage: stores, acceptLanguage: undefined }
  const user = await stores.write(async (tx) => {
    const before = await tx.users.lock(userId)
    if (before === null) return null
    if (addresses.length > 0) {
      const changed = await changeAddresses(tx, before, addresses, { ...call, tenantId }, services)
      for (const kind of changed) await notifyUser(tx, before, kind, context, services)
    }
    const after = await tx.users.restrict(userId, readChanges(body), now)
    if (after === null) return null
    for (const fact of factsOfUpdate(before, after)) await record(tx, call, fact)
    tx.onCommit(() => {
      services.counts.add(tenant.id, 'suspended', Number(isSuspended(after, now)) - Number(isSuspended(before, now)))
      services.counts.add(tenant.id, 'guests', Number(after.guest) - Number(before.guest))
    })
    return after
  })
  if (user === null) throw refuse('USER_NOT_FOUND')
  return presentManagedUser(user, now)
}

type Body = z.output<typeof operation.body>
type AddressRefusal = 'EMAIL_ALREADY_REGISTERED' | 'PHONE_ALREADY_REGISTERED' | 'VALIDATION_ERROR'

/** A new address, or null for the stored one, and whether it counts as verified. */
interface AddressChange {
  readonly kind: AddressKind
  readonly value: string | null
  readonly verified: boolean
}

function addressChangesOf({ email, emailVerified, phone, phoneVerified }: Body): AddressChange[] {
  const changes = [
    { kind: 'email', value: email, verified: emailVerified },
    { kind: 'phone', value: phone, verified: phoneVerified },
  ] as const
  return changes
    .filter(({ value, verified }) => value !== undefined || verified !== undefined)
    .map(({ kind, value = null, verified = true }) => ({ kind, value, verified }))
}

/**
 * Sets addresses and whether they are verified. Unlike a change by the user, the notice to an old address has no code that
 * restores it: the operator may be returning an account that someone else took over.
 * @returns the notices to send
 */
async function changeAddresses(
  tx: Tx,
  before: User,
  changes: readonly AddressChange[],
  call: AdminCall<AddressRefusal> & { readonly tenantId: string },
  { counts }: Services,
): Promise<readonly ('email_changed' | 'phone_changed')[]> {
  const { now } = call
  const replaced: ('email_changed' | 'phone_changed')[] = []
  let isLost = false
  for (const { kind, value, verified } of changes) {
    const stored = before[kind]
    const isVerified = verifiedAt(before, kind) !== null
    if (value !== null) await setAddress(tx, before, addressOf(kind, value), call)
    else if (stored === null) throw call.refuse('VALIDATION_ERROR', { validation: { [kind]: 'Required' } })
    else if (verified) await setAddress(tx, before, addressOf(kind, stored), call)
    if (!verified) await tx.users.unverifyAddress(before.id, kind, now)
    if (value !== null && value !== stored) replaced.push(`${kind}_changed`)
    isLost ||= isVerified && !verified
  }
  if (replaced.length > 0 || isLost) await tx.otps.cancelLive(before.id, now)
  // What that other person left behind must not undo the operator's change.
  if (replaced.length > 0) await tx.undoCodes.cancel(before.id, allUndoCodes, now)
  // A guest's device must not stay signed in to the account of the person with the address.
  if (before.guest) await endSessionsOf(tx, before.id, call, counts, { reason: 'operator' })
  return replaced
}

/** The operator's word counts from the beginning of the account: the address is older than what a thief has added. */
async function setAddress(
  tx: Tx,
  { id, createdAt }: User,
  address: Address,
  { now, refuse }: AdminCall<AddressRefusal>,
): Promise<void> {
  if (await tx.users.setAddress(id, address, now, Math.min(createdAt, now))) return
  throw refuse(registered[kindOf(address)])
}

const addressOf = (kind: AddressKind, value: string): Address =>
  kind === 'email' ? { email: value } : { phone: value }

/** What would have ended already: the log would say that the user is suspended, and nothing would be refused. */
function endedBefore(now: number, { restrictions = [], suspension }: Body): Record<string, string> {
  const ends = [
    ['suspension.until', suspension?.until],
    ...restrictions.map(({ until }, at) => [`restrictions.${at}.until`, until]),
  ]
  const ended = ends.filter(([, until]) => until && Date.parse(until) <= now)
  return Object.fromEntries(ended.map(([field]) => [field, 'Must be in the future']))
}

function readChanges({ restrictedCapabilities, restrictions, suspension }: Body) {
  const given = restrictions ?? restrictedCapabilities?.map((capability) => ({ capability }))
  return {
    ...(given && { restrictions: readRestrictions(given) }),
    ...(suspension !== undefined && { suspension: suspension && readSuspension(suspension) }),
  }
}
