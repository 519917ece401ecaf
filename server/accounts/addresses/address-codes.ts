import type { verifyOtp as operation } from '../../../contract/accounts/otp.ts'
import type { Call, TenantCall } from '../../core/call.ts'
import { record } from '../../events/record.ts'
import { asUser } from '../../events/subjects.ts'
import type { AddressCodes, VerifiedAddress } from '../../otp/address-codes.ts'
import { requireApplied } from '../../otp/compare-code.ts'
import type { Otp } from '../../otp/otp.ts'
import { verifiedFact } from '../../otp/otp-events.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../storage/storage.ts'
import { addressChanged, addressVerified } from '../account-events.ts'
import { notifyUser } from '../notify-user.ts'
import { maySignIn } from '../restriction.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { countFullUser, type OpenSession, openSession, presentSession } from '../sessions/start-session.ts'
import { addressOf, amrOf } from '../sign-in/otp-proof.ts'
import { canSignIn } from '../sign-in/require-fresh.ts'
import type { User } from '../user.ts'
import { isProven, kindOf } from './address.ts'
import { readBack } from './address-owner.ts'
import { replaceAddress } from './replace-address.ts'

/**
 * A password reset, a sign-out or the operator ends the session and with it a pending change of address. The user is locked
 * first, as everywhere: cancelling a user's one-time passwords locks the user too.
 */
async function lockUser(tx: Tx, otp: Otp, now: number): Promise<User | null> {
  const user = otp.userId === null ? null : await tx.users.lock(otp.userId)
  if (user === null || !maySignIn(user, now)) return null
  // Issued by a version that stored no session: it may verify the user's own address, but not change it.
  const isAllowed =
    otp.sessionId === null
      ? otp.recipient === (otp.deliveryMethod === 'email' ? user.email : user.phone)
      : await tx.sessions.lockLive(user.id, otp.sessionId, now)
  return isAllowed ? user : null
}

/**
 * Consumes the one-time password and marks its address verified, or replaces the address of the user with it. A guest who
 * gains the first way to sign in gets a new session and loses all others, because an attacker may have planted them.
 */
async function verifyAddress(
  tx: Tx,
  otp: Otp,
  before: User,
  call: Call<typeof operation>,
  services: Services,
): Promise<VerifiedAddress> {
  const { now, snapshot } = call
  const { id, scope, recipient, sessionId } = otp
  requireApplied(await tx.otps.verify(otp, now), call)
  const consumed = await tx.otps.consume(id, scope, now)
  const actor = asUser(before.id, sessionId ?? undefined)
  await record(tx, call, { ...verifiedFact(otp), actor })
  const address = addressOf(otp)
  const kind = kindOf(address)
  if (recipient === before[kind]) {
    await tx.users.markVerified(before.id, address, now)
    if (!isProven(before, address)) {
      await record(tx, call, { ...addressVerified(before, address), actor })
      await notifyUser(tx, before, 'identity_added', call, services)
    }
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

/**
 * Ends every session of a user who could not sign in before, and opens one for the proof. Like a sign-in, it is refused while
 * `sign_in` is restricted.
 */
export async function replaceSessions(
  tx: Tx,
  user: User,
  amr: readonly string[],
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  if (call.snapshot.tenant.restrictedCapabilities.includes('sign_in')) throw call.refuse('RESTRICTED_CAPABILITY')
  const ending = { reason: 'first_sign_in_method', actor: asUser(user.id) } as const
  await endSessionsOf(tx, user.id, call, services.counts, ending)
  return openSession(tx, { user, amr, isNewUser: false }, call, services, 'session.created')
}

export const addressCodes: AddressCodes<Services> = {
  async lockOwner(tx, otp, now) {
    const user = await lockUser(tx, otp, now)
    return user && { verify: (call, services) => verifyAddress(tx, otp, user, call, services) }
  },
}
