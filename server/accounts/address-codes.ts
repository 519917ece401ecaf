import type { verifyOtp as operation } from '../../contract/otp.ts'
import type { Call, TenantCall } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { asUser } from '../events/subjects.ts'
import type { AddressCodes, VerifiedAddress } from '../otp/address-codes.ts'
import type { Otp } from '../otp/otp.ts'
import { verifiedFact } from '../otp/otp-events.ts'
import type { Services } from '../services.ts'
import type { Stores, Tx } from '../storage/storage.ts'
import { addressChanged, addressVerified, kindOf, recordEndedSessions } from './account-events.ts'
import { readBack } from './address-owner.ts'
import { endSessionsOf } from './end-sessions.ts'
import { isProven } from './first-proof.ts'
import { addressOf, amrOf } from './otp-proof.ts'
import { replaceAddress } from './replace-address.ts'
import { canSignIn } from './require-fresh.ts'
import { isRestricted, isSuspended } from './restriction.ts'
import { countFullUser, type OpenSession, openSession, presentSession } from './start-session.ts'
import type { User } from './user.ts'

/**
 * Whether the code may still change the account: the session that requested it is live, and its user may sign in. A
 * password reset, a sign-out or the operator ends the session and with it a pending change of address. Inside a
 * transaction the rows of user and session stay locked until it ends.
 */
async function mayStillVerify(stores: Stores, otp: Otp, now: number): Promise<boolean> {
  const user = otp.userId === null ? null : await stores.users.lock(otp.userId)
  return isStillAllowed(stores, otp, user, now)
}

/** @param user locked */
async function isStillAllowed(stores: Stores, otp: Otp, user: User | null, now: number): Promise<boolean> {
  if (user === null || isSuspended(user, now) || isRestricted(user, 'sign_in', now)) return false
  // Issued by a version that stored no session: it may verify the user's own address, but not change it.
  if (otp.sessionId === null) return otp.recipient === (otp.deliveryMethod === 'email' ? user.email : user.phone)
  return stores.sessions.lockLive(user.id, otp.sessionId, now)
}

/**
 * Consumes the one-time password and marks its address verified, or replaces the address of the user with it, in one
 * transaction. A guest who gains the first way to sign in gets a new session and loses all others, because an attacker
 * may have planted them.
 */
async function verifyAddress(
  tx: Tx,
  otp: Otp,
  call: Call<typeof operation>,
  services: Services,
): Promise<VerifiedAddress> {
  const { now, snapshot } = call
  const { id, scope, userId, recipient, sessionId } = otp
  // Locks the user first, as everywhere: cancelling a user's one-time passwords locks the user too.
  const before = userId === null ? null : await tx.users.lock(userId)
  const verified = await tx.otps.verify(otp, now)
  if (!verified.applied) return verified
  if (before === null || !(await isStillAllowed(tx, otp, before, now))) throw call.refuse('OTP_NOT_PENDING')
  const consumed = await tx.otps.consume(id, scope, now)
  const actor = asUser(before.id, sessionId ?? undefined)
  await record(tx, call, { ...verifiedFact(otp), actor })
  const address = addressOf(otp)
  const kind = kindOf(address)
  if (recipient === before[kind]) {
    await tx.users.markVerified(before.id, address, now)
    if (!isProven(before, address)) await record(tx, call, { ...addressVerified(before, address), actor })
  } else {
    await replaceAddress(tx, before, address, call, services)
    await record(tx, call, { ...addressChanged(before, kind, recipient), actor })
  }
  if (before.guest) countFullUser(tx, call.tenantId, services.counts)
  if (canSignIn(before, snapshot.configuration)) return consumed
  const user = await readBack(tx, before.id)
  if (!canSignIn(user, snapshot.configuration)) return consumed
  const session = await replaceSessions(tx, user, amrOf(otp), call, services)
  return { ...consumed, present: () => presentSession(session, call, services) }
}

/** Ends every session of a user who could not sign in before, and opens one for the proof. */
export async function replaceSessions(
  tx: Tx,
  user: User,
  amr: readonly string[],
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  const sessions = await endSessionsOf(tx, user.id, call, services.counts)
  const reason = 'first_sign_in_method'
  await recordEndedSessions(tx, call, { userId: user.id, sessions, reason, actor: asUser(user.id) })
  return openSession(tx, { user, amr, isNewUser: false }, call, services, 'session.created')
}

export const addressCodes: AddressCodes = { mayStillVerify, verify: verifyAddress }
