import type { Fact } from '../events/event.ts'
import type { Tx } from '../storage/storage.ts'
import { addressChanged, passwordChanged } from './account-events.ts'
import type { User } from './user.ts'

/**
 * Removes the password and, with it, an e-mail address that was never verified. It was claimed to sign in with the password;
 * without one its owner could not prove it by a reset, and another account has it, so they could not sign up either.
 * @param user locked
 * @returns what to record
 */
export async function removePassword(tx: Tx, user: User, now: number): Promise<readonly Fact[]> {
  if (user.email === null || user.emailVerifiedAt !== null) {
    await tx.users.removePassword(user.id, now)
    return [passwordChanged(user.id)]
  }
  await tx.users.removeAddress(user.id, 'email', now)
  return [passwordChanged(user.id), addressChanged(user, 'email', null)]
}
