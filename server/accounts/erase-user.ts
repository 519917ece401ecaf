import { allUndoCodes } from '../otp/undo-codes.ts'
import type { Counts } from '../statistics/counts.ts'
import type { Tx } from '../storage/storage.ts'
import { isSuspended } from './restriction.ts'
import type { User } from './user.ts'

/**
 * Erases a user with profile, identities and kept answers, cancels live one-time passwords, and removes addresses and devices from
 * the messages, one-time passwords, sessions and events that are retained. The sessions stay, so that their tokens answer
 * TOKEN_USER_NOT_FOUND; they no longer count as open.
 * @param user locked
 */
export async function eraseUser(
  tx: Tx,
  user: User,
  { tenantId, now }: { readonly tenantId: string; readonly now: number },
  counts: Pick<Counts, 'add'>,
): Promise<void> {
  const { id: userId } = user
  // In this order, and together: on PostgreSQL each would be a round trip.
  const [open] = await Promise.all([
    tx.sessions.countOf(userId, now),
    tx.users.remove(userId),
    tx.profiles.remove(userId),
    // After the profile: a concurrent update of it has either ended, with its entries, or fails.
    tx.profileIndex.removeAllOf(userId),
    tx.identities.removeAllOf(userId),
    tx.otps.cancelLive(userId, now),
    tx.undoCodes.cancel(userId, allUndoCodes, now),
    tx.messages.forgetRecipients(userId),
    tx.otps.forgetRecipients(userId),
    tx.sessions.forgetDevices(userId),
    tx.idempotency.forget(userId),
    tx.eventErasures.start(userId, now),
  ])
  tx.onCommit(() => {
    counts.add(tenantId, 'users', -1)
    if (user.guest) counts.add(tenantId, 'guests', -1)
    if (isSuspended(user, now)) counts.add(tenantId, 'suspended', -1)
    counts.add(tenantId, 'openSessions', -open)
  })
}
