import type { Tx } from '../storage/storage.ts'

/**
 * Erases a user: profile and identities go, live one-time passwords are cancelled, and what is kept for a while (sent
 * messages, one-time passwords, sessions) forgets addresses and devices. The sessions stay, so that
 * TOKEN_USER_NOT_FOUND can be told (design 6). False when there is no such user.
 */
export async function eraseUser(tx: Tx, userId: string, now: number): Promise<boolean> {
  if (!(await tx.users.remove(userId))) return false
  await tx.profiles.remove(userId)
  await tx.identities.removeAllOf(userId)
  await tx.otps.cancelLive(userId, now)
  await tx.otps.cancelRecoveries(userId, 0, now)
  await tx.messages.forgetRecipients(userId)
  await tx.otps.forgetRecipients(userId)
  await tx.sessions.forgetDevices(userId)
  return true
}
