import type { Tx } from '../storage/storage.ts'
import type { Address, User } from './user.ts'

/**
 * Cancels the undo codes of addresses that were verified later than the oldest that the account has. They may be a
 * thief's, who added an address and removed it again, to restore it after the owner has recovered the account. The codes of
 * older addresses stay: a thief may have replaced them. Call it when the owner ends what others may have begun.
 */
export async function cancelYoungerUndoCodes(
  tx: Tx,
  { id, emailVerifiedAt, phoneVerifiedAt }: Pick<User, 'id' | 'emailVerifiedAt' | 'phoneVerifiedAt'>,
  now: number,
): Promise<void> {
  const oldest = Math.min(emailVerifiedAt ?? Infinity, phoneVerifiedAt ?? Infinity)
  if (oldest < Infinity) await tx.otps.cancelYoungerRecoveries(id, oldest, now)
}

/** Whether the account has lost another address than this one, which an undo code can restore. */
export const canRestoreAnother = (tx: Tx, user: User, address: Address, now: number): Promise<boolean> =>
  tx.otps.hasRecoveryOfAnother(user.id, 'email' in address ? address.email : address.phone, now)
