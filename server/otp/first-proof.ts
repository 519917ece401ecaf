import type { Address, User } from '../accounts/user.ts'
import type { Tx } from '../storage/storage.ts'

/**
 * The first proof of an address that an account had only claimed. Whoever set the account up may be another person than
 * the one who owns the address, so everything that would still let the former in goes: the password, the other address,
 * identities, sessions, live one-time passwords (design 6). Does nothing when the address was proven before.
 */
export async function proveAddress(tx: Tx, user: User, address: Address, now: number): Promise<void> {
  const isEmail = 'email' in address
  if ((isEmail ? user.emailVerifiedAt : user.phoneVerifiedAt) !== null) return
  await tx.users.removePassword(user.id, now)
  await forgetOtherWays(tx, user, address, now)
  await tx.users.markVerified(user.id, address, now)
}

/** The part of it that a password reset needs: the password is the prover's own. */
export async function forgetOtherWays(tx: Tx, { id }: User, address: Address, now: number): Promise<void> {
  await tx.users.removeAddress(id, 'email' in address ? 'phone' : 'email', now)
  await tx.identities.removeAllOf(id)
  await tx.sessions.revokeAllOf(id, now)
  await tx.otps.cancelLive(id, null, now)
}
