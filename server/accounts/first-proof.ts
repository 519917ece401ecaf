import type { TenantCall } from '../core/handler.ts'
import type { Services } from '../services.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { notifyUser } from './notify-user.ts'
import type { Address, User } from './user.ts'

/** Whether the user has this address, verified. */
export const isProven = (user: User, address: Address): boolean =>
  'email' in address
    ? user.email === address.email && user.emailVerifiedAt !== null
    : user.phone === address.phone && user.phoneVerifiedAt !== null

/** Whether the account has a proof besides this address: the other address, verified, or an identity at a provider. */
export const hasOtherProof = ({ emailVerifiedAt, phoneVerifiedAt, providers }: User, address: Address): boolean =>
  ('email' in address ? phoneVerifiedAt : emailVerifiedAt) !== null || providers.length > 0

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
  await notifyUser(tx, holder, 'email' in address ? 'email_changed' : 'phone_changed', call, services)
}

/**
 * Someone proved an address that is the only claim of its account: the account becomes theirs. An attacker may have
 * created it, so everything that would still let the attacker in is removed: password, other address, identities,
 * sessions, live one-time passwords.
 * @param user locked, without another proof
 */
export async function transferAccount(tx: Tx, user: User, address: Address, now: number): Promise<void> {
  await tx.users.removePassword(user.id, now)
  await removeOtherCredentials(tx, user, address, now)
  await tx.users.markVerified(user.id, address, now)
}

/** The part of `transferAccount` that a password reset needs, which sets a new password itself. */
export async function removeOtherCredentials(tx: Tx, { id }: User, address: Address, now: number): Promise<void> {
  await tx.users.removeAddress(id, 'email' in address ? 'phone' : 'email', now)
  await tx.identities.removeAllOf(id)
  await tx.sessions.revokeAllOf(id, now)
  // Networks that the attacker signed in from are not known networks of the owner.
  await tx.sessions.forgetDevices(id)
  await tx.otps.cancelLive(id, now)
  await tx.profiles.markUnproven(id)
}
