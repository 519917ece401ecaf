import type { TenantCall } from '../../core/call.ts'
import { clockMarginMs } from '../../core/clock.ts'
import { record } from '../../events/record.ts'
import { asUser, aUser, otpReference } from '../../events/subjects.ts'
import { consumeRefusal, type Otp } from '../../otp/otp.ts'
import type { Tx } from '../../storage/storage.ts'
import type { Session } from '../sessions/session.ts'
import type { Address, User } from '../user.ts'

/** Why a one-time password is not accepted as a proof. */
export type ProofRefusal = 'OTP_NOT_FOUND' | 'OTP_NOT_CONSUMABLE' | 'OTP_ALREADY_CONSUMED'

/** A verified, unused `otp_signin` one-time password: proof that the caller owns the address it was sent to. */
export async function findProof(token: string, { now, storage, refuse }: TenantCall<ProofRefusal>): Promise<Otp> {
  const otp = await storage.otps.find(token, 'otp_signin')
  const refusal = consumeRefusal(otp, now)
  if (refusal !== null || otp === null) throw refuse(refusal ?? 'OTP_NOT_FOUND')
  return otp
}

/** Consumes it in the transaction that acts on it; refuses as `findProof` does when another call consumed it first. */
export async function consumeProof(tx: Tx, token: string, { now, refuse }: TenantCall<ProofRefusal>): Promise<Otp> {
  const { applied, otp } = await tx.otps.consume(token, 'otp_signin', now)
  if (!applied || otp === null) throw refuse(consumeRefusal(otp, now) ?? 'OTP_NOT_CONSUMABLE')
  return otp
}

/**
 * Whether it was requested before the user ended what others may have begun (`endAttempts`). Of times from a clock that was
 * wrong, those of users do not count, which would refuse every code until then, and codes are refused.
 */
export async function isOutdated(
  tx: Tx,
  { createdAt, recipient }: Otp,
  { id, codesValidFrom }: Pick<User, 'id' | 'codesValidFrom'>,
  now: number,
): Promise<boolean> {
  const until = now + clockMarginMs
  if (createdAt > until) return true
  if (codesValidFrom !== null && codesValidFrom <= until && createdAt < codesValidFrom) return true
  return tx.undoCodes.isRecoveredSince({ userId: id, recipient, since: createdAt, until })
}

/** Names the user and the session of a consumed one-time password, and records that it proved this user. */
export async function attributeProof(
  tx: Tx,
  { id, scope }: Otp,
  { id: sessionId, userId }: Pick<Session, 'id' | 'userId'>,
  call: TenantCall,
): Promise<void> {
  await tx.otps.attribute(id, { userId, sessionId })
  await record(tx, call, {
    type: 'otp.consumed',
    subject: aUser(userId),
    actor: asUser(userId),
    details: { otp: otpReference(id), scope },
  })
}

/** The authentication methods that a one-time password stands for (RFC 8176). */
export const amrOf = ({ deliveryMethod }: Otp): readonly string[] =>
  deliveryMethod === 'sms' ? ['otp', 'sms'] : ['otp']

/** The address that a one-time password was sent to. */
export const addressOf = ({ deliveryMethod, recipient }: Otp): Address =>
  deliveryMethod === 'email' ? { email: recipient } : { phone: recipient }
