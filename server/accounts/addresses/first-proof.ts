import type { TenantCall } from '../../core/call.ts'
import { record } from '../../events/record.ts'
import { asUser } from '../../events/subjects.ts'
import type { Services } from '../../services.ts'
import { type Tx, WriteConflict } from '../../storage/storage.ts'
import { addressChanged, addressVerified, passwordChanged } from '../account-events.ts'
import { canRestoreAnother } from '../end-attempts.ts'
import { notifyUser } from '../notify-user.ts'
import { type EndReason, endSessionsOf } from '../sessions/end-sessions.ts'
import type { Address, User } from '../user.ts'
import { kindOf, otherKind, verifiedAt } from './address.ts'

/**
 * Whether the account has a proof besides this address: the other address, verified, an identity at a provider, or an
 * address that an undo code can restore.
 */
export async function hasOtherProof(tx: Tx, user: User, address: Address, now: number): Promise<boolean> {
  const isOtherProven = verifiedAt(user, otherKind(kindOf(address))) !== null
  return isOtherProven || user.providers.length > 0 || canRestoreAnother(tx, user, address, now)
}

/**
 * Someone else proved the address of this account, so its owner had mistyped it: the account loses the address and
 * keeps everything else. Its verified addresses get a notice.
 * @param holder locked
 */
export async function releaseAddress(
  tx: Tx,
  holder: User,
  address: Address,
  call: TenantCall,
  services: Services,
): Promise<void> {
  if (!(await tx.users.takeAddress(holder.id, address, call.now))) {
    throw new WriteConflict('The address was verified or changed in the meantime')
  }
  await tx.otps.cancelLive(holder.id, call.now)
  await record(tx, call, addressChanged(holder, kindOf(address), null))
  await notifyUser(tx, holder, `${kindOf(address)}_changed`, call, services)
}

/**
 * Someone proved an address that is the only claim of its account: the account becomes theirs. An attacker may have
 * created it, so everything that would still let the attacker in is removed: password, other address, identities,
 * sessions, live one-time passwords.
 * @param user locked, without another proof
 */
export async function transferAccount(
  tx: Tx,
  user: User,
  address: Address,
  call: TenantCall,
  services: Services,
): Promise<void> {
  const actor = asUser(user.id)
  await tx.users.removePassword(user.id, call.now)
  if (user.hasPassword) await record(tx, call, { ...passwordChanged(user.id), actor })
  await removeOtherCredentials(tx, user, address, 'address_proven', call, services)
  await tx.users.markVerified(user.id, address, call.now)
  await record(tx, call, { ...addressVerified(user, address), actor })
}

/**
 * The part of `transferAccount` that a password reset needs, which sets a new password itself.
 * @param reason why it ends the sessions
 */
export async function removeOtherCredentials(
  tx: Tx,
  user: User,
  address: Address,
  reason: EndReason,
  call: TenantCall,
  { counts }: Services,
): Promise<void> {
  const { now } = call
  const { id } = user
  const other = otherKind(kindOf(address))
  await tx.users.removeAddress(id, other, now)
  if (user[other] !== null) await record(tx, call, { ...addressChanged(user, other, null), actor: asUser(id) })
  // In this order, and together: on PostgreSQL each would be a round trip.
  await Promise.all([
    tx.identities.removeAllOf(id),
    endSessionsOf(tx, id, call, counts, { reason, actor: asUser(id) }),
    // Networks that the attacker signed in from are not known networks of the owner.
    tx.sessions.forgetDevices(id),
    tx.otps.cancelLive(id, now),
    tx.profiles.markUnproven(id),
  ])
}
