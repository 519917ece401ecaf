import type { Tx } from '../storage/storage.ts'

/**
 * Erases a user with profile, identities and kept answers, cancels live one-time passwords, and removes addresses and devices from
 * the messages, one-time passwords, sessions and events that are retained. The sessions stay, so that their tokens answer
 * TOKEN_USER_NOT_FOUND. Returns false when the user does not exist.
 */
export async function eraseUser(tx: Tx, userId: string, now: number): Promise<boolean> {
  if (!(await tx.users.remove(userId))) return false
  await tx.profiles.remove(userId)
  // After the profile: a concurrent update of it has either ended, with its entries, or fails.
  await tx.profileIndex.removeAllOf(userId)
  await tx.identities.removeAllOf(userId)
  await tx.otps.cancelLive(userId, now)
  await tx.otps.cancelRecoveries(userId, 0, now)
  await tx.messages.forgetRecipients(userId)
  await tx.otps.forgetRecipients(userId)
  await tx.sessions.forgetDevices(userId)
  await tx.idempotency.forget(userId)
  await tx.eventErasures.start(userId, now)
  return true
}
