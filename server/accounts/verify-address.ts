import type { TenantCall } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import type { AccountCodes, VerifiedAccount } from '../otp/account-codes.ts'
import type { Otp } from '../otp/otp.ts'
import type { Stores, Tx } from '../storage/storage.ts'
import { readBack } from './address-owner.ts'
import type { NoticeServices } from './notify-user.ts'
import { addressOf, amrOf } from './otp-proof.ts'
import { replaceAddress } from './replace-address.ts'
import { canSignIn } from './require-fresh.ts'
import { isRestricted, isSuspended } from './restriction.ts'
import { type OpenSession, openSession, presentSession, type SessionTokens } from './start-session.ts'
import type { User } from './user.ts'

/** What the codes that prove a user's address do. */
export const accountCodes = (services: NoticeServices & SessionTokens): AccountCodes => ({
  async mayStillVerify(stores, otp, now) {
    const user = otp.userId === null ? null : await stores.users.lock(otp.userId)
    return mayStillVerify(stores, otp, user, now)
  },
  verify: (tx, otp, call) => verifyAddress(tx, otp, call, services),
})

/**
 * Whatever ends the session that asked for a code (a reset, a sign-out, the operator) so ends the change of address that
 * was under way.
 * @param user locked
 */
async function mayStillVerify(stores: Stores, otp: Otp, user: User | null, now: number): Promise<boolean> {
  if (user === null || isSuspended(user, now) || isRestricted(user, 'sign_in', now)) return false
  // Issued by a version that kept no session: it may prove the user's own address, and change nothing.
  if (otp.sessionId === null) return otp.recipient === (otp.deliveryMethod === 'email' ? user.email : user.phone)
  return stores.sessions.lockLive(user.id, otp.sessionId, now)
}

/**
 * Proves an address with the right code, in one transaction: the one-time password is used up, and the address marked
 * verified or, when it is a new one, made the user's. A guest who gains the first way to sign in by it gets a new
 * session, and loses those before: another person may have planted them.
 */
async function verifyAddress(
  tx: Tx,
  { id, scope, userId }: Otp,
  call: TenantCall,
  services: NoticeServices & SessionTokens,
): Promise<VerifiedAccount> {
  const { now, snapshot } = call
  // The user first, as everywhere: what cancels the user's one-time passwords locks the user while it does.
  const before = userId === null ? null : await tx.users.lock(userId)
  const verified = await tx.otps.verify(id, scope, now)
  const { applied, otp } = verified
  if (!applied || otp === null) return verified
  if (before === null || !(await mayStillVerify(tx, otp, before, now))) throw new ServiceError('OTP_NOT_PENDING')
  const consumed = await tx.otps.consume(id, scope, now)
  const address = addressOf(otp)
  if (otp.recipient === ('email' in address ? before.email : before.phone)) {
    await tx.users.markVerified(before.id, address, now)
  } else {
    await replaceAddress(tx, before, address, call, services)
  }
  if (canSignIn(before, snapshot.configuration)) return consumed
  const user = await readBack(tx, before.id)
  if (!canSignIn(user, snapshot.configuration)) return consumed
  const session = await replaceSessions(tx, user, amrOf(otp), call, services)
  return { ...consumed, present: () => presentSession(session, call, services) }
}

/** Ends every session of a user who could not sign in until now, and opens one for the proof just given. */
export async function replaceSessions(
  tx: Tx,
  user: User,
  amr: readonly string[],
  call: TenantCall,
  tokens: SessionTokens,
): Promise<OpenSession> {
  await tx.sessions.revokeAllOf(user.id, call.now)
  return openSession(tx, { user, amr, isNewUser: false }, call, tokens)
}
