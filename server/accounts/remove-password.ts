import type { Fact } from '../events/event.ts'
import type { Tx } from '../storage/storage.ts'
import { addressRemoved, passwordChanged } from './account-events.ts'
import type { User } from './user.ts'

/**
 * Removes the password.
 * @param user locked
 * @param withClaim whether an e-mail address that was never verified goes with it: it was claimed to sign in with the password
 * @returns what to record
 */
export async function removePassword(
  tx: Tx,
  user: User,
  { withClaim }: { readonly withClaim: boolean },
  now: number,
): Promise<readonly Fact[]> {
  if (!withClaim || user.email === null || user.emailVerifiedAt !== null) {
    await tx.users.removePassword(user.id, now)
    return [passwordChanged(user.id)]
  }
  await tx.users.removeAddress(user.id, 'email', now)
  return addressRemoved(user, 'email')
}
