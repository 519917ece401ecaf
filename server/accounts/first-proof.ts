import type { TenantCall } from '../core/handler.ts'
import type { Services } from '../services.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { notifyUser } from './notify-user.ts'
import type { Address, User } from './user.ts'

/** Whether an account has this address, and whether it has proven it. */
export const isProven = (user: User, address: Address): boolean =>
  'email' in address
    ? user.email === address.email && user.emailVerifiedAt !== null
    : user.phone === address.phone && user.phoneVerifiedAt !== null

/** Whether an account has a proven way in besides this address: the other address, or an identity at a provider. */
export const hasOtherProof = ({ emailVerifiedAt, phoneVerifiedAt, providers }: User, address: Address): boolean =>
  ('email' in address ? phoneVerifiedAt : emailVerifiedAt) !== null || providers.length > 0

/**
 * The first proof of an address by another person than the account's owner, who mistyped it: the account loses the
 * address and keeps everything else. Its verified addresses get a notice.
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
    throw new WriteConflict('The address was proven or changed meanwhile')
  }
  await tx.otps.cancelLive(holder.id, call.now)
  await notifyUser(tx, holder, 'email' in address ? 'email_changed' : 'phone_changed', call, services)
}

/**
 * The first proof of an address that is the only claim of its account: the account becomes the prover's. Another person
 * may have set it up, so everything that would still let them in goes: the password, the other address, sessions, live
 * one-time passwords.
 * @param user locked, without another proven way in
 */
export async function transferAccount(tx: Tx, user: User, address: Address, now: number): Promise<void> {
  await tx.users.removePassword(user.id, now)
  await removeOtherCredentials(tx, user, address, now)
  await tx.users.markVerified(user.id, address, now)
}

/** The part of it that a password reset needs: the password is the prover's own. */
export async function removeOtherCredentials(tx: Tx, { id }: User, address: Address, now: number): Promise<void> {
  await tx.users.removeAddress(id, 'email' in address ? 'phone' : 'email', now)
  await tx.identities.removeAllOf(id)
  await tx.sessions.revokeAllOf(id, now)
  // Networks the squatter signed in from are not known networks of the prover.
  await tx.sessions.forgetDevices(id)
  await tx.otps.cancelLive(id, now)
  await tx.profiles.markUnproven(id)
}
