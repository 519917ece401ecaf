import type { Clock } from '../core/clock.ts'
import type { Tx } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { recipientOf, verifiedAt } from './addresses/address.ts'
import type { Address, AddressKind, User } from './user.ts'

/** A user as far as their addresses matter; times in epoch milliseconds. */
type Addressed = Pick<User, 'id' | 'emailVerifiedAt' | 'phoneVerifiedAt'>

/**
 * Ends what others may have begun to get into the account. Call it when the owner recovers it or ends other sessions.
 * Codes to sign in that were requested before are refused: a thief may have read the owner's mail.
 * @param user locked
 * @param clock read now, because the request may have waited, such as to hash a password, while codes were requested
 * @param by the address that proved the owner. One that is younger than the oldest ends codes to itself only (`isOutdated`):
 *   a thief may have added it, and would refuse the owner one code after the other.
 */
export async function endAttempts(
  tx: Tx,
  user: Addressed,
  snapshot: Pick<TenantSnapshot, 'configuration'>,
  clock: Clock,
  by?: AddressKind,
): Promise<void> {
  const isYounger = by !== undefined && (verifiedAt(user, by) ?? Infinity) > oldestOf(user, snapshot)
  await Promise.all([
    !isYounger && tx.users.endCodes(user.id, clock.now()),
    endYoungerUndoCodes(tx, user, snapshot, clock),
  ])
}

/**
 * Cancels the undo codes of addresses that were verified later than the oldest that signs in: a thief may have added an
 * address and removed it again. The codes of older addresses stay, because a thief may have replaced them.
 */
export async function endYoungerUndoCodes(
  tx: Tx,
  user: Addressed,
  snapshot: Pick<TenantSnapshot, 'configuration'>,
  clock: Clock,
): Promise<void> {
  const oldest = oldestOf(user, snapshot)
  if (oldest < Infinity) await tx.undoCodes.cancelYounger(user.id, oldest, clock.now())
}

/**
 * Returns whether a sign-in used only ways that were added after the oldest address, as a thief may have. A password counts
 * from the verification of the e-mail address at which it can be reset, if that came first.
 */
export async function laterWaysOf(
  tx: Tx,
  user: User,
  snapshot: Pick<TenantSnapshot, 'tenant' | 'configuration'>,
): Promise<(amr: readonly string[]) => boolean> {
  const oldest = oldestOf(user, snapshot)
  const canReset = !snapshot.tenant.restrictedCapabilities.includes('reset_password')
  const resettableAt = (canReset ? user.emailVerifiedAt : null) ?? Infinity
  const identities = await tx.identities.listOf(user.id)
  function addedAt(method: string, amr: readonly string[]): number | null | undefined {
    if (method === 'pwd') return Math.min(user.passwordChangedAt ?? 0, resettableAt)
    if (method === 'sms') return user.phoneVerifiedAt
    if (method === 'otp') return amr.includes('sms') ? null : user.emailVerifiedAt
    return identities.findLast(({ provider }) => provider === method)?.createdAt
  }
  return (amr) => amr.length > 0 && Math.min(...amr.map((method) => addedAt(method, amr) ?? Infinity)) > oldest
}

/** When the oldest address that signs in at the tenant was verified; `Infinity` when none does. */
export function oldestOf(
  { emailVerifiedAt, phoneVerifiedAt }: Omit<Addressed, 'id'>,
  { configuration }: Pick<TenantSnapshot, 'configuration'>,
): number {
  const methods = configuration.auth?.methods ?? []
  const byCode = methods.includes('otp')
  // A provider signs in the user of its address, too.
  const byEmail = methods.some((method) => method !== 'guest')
  return Math.min((byEmail ? emailVerifiedAt : null) ?? Infinity, (byCode ? phoneVerifiedAt : null) ?? Infinity)
}

/** Gives the user an address that was proven just now; false when another user of the tenant has it. */
export const giveAddress = async (tx: Tx, userId: string, address: Address, now: number): Promise<boolean> =>
  tx.users.setAddress(userId, address, now, await ageOf(tx, userId, address, now))

/** When the user verified an address that is theirs from now on. One that was lost and comes back is as old as before. */
export async function ageOf(tx: Tx, userId: string, address: Address, now: number): Promise<number> {
  return (await tx.undoCodes.lostAddressVerifiedAt(userId, recipientOf(address), now)) ?? now
}

/** Whether the account has lost another address than this one, which an undo code can restore. */
export const canRestoreAnother = (tx: Tx, user: User, address: Address, now: number): Promise<boolean> =>
  tx.undoCodes.canRestoreAnother(user.id, recipientOf(address), now)
