import type { Fact } from '../events/event.ts'
import { type EventSource, record } from '../events/record.ts'
import { otpReference, ownerOfOtp } from '../events/subjects.ts'
import type { Tx } from '../storage/storage.ts'
import type { Otp, StoredOtpScope } from './otp.ts'

/** A one-time password as an event names it. */
type Named = Pick<Otp, 'id' | 'userId' | 'scope' | 'deliveryMethod'>

const sent = (type: 'otp.created' | 'otp.verified', otp: Named): Fact => ({
  type,
  subject: ownerOfOtp(otp),
  details: { otp: otpReference(otp.id), scope: otp.scope, deliveryMethod: otp.deliveryMethod },
})

export const createdFact = (otp: Named): Fact => sent('otp.created', otp)

export const verifiedFact = (otp: Named): Fact => sent('otp.verified', otp)

/** The storage replaces the subject with the user of the one-time password, which a resend does not read. */
export const resentFact = (id: string, scope: StoredOtpScope): Fact => ({
  type: 'otp.resent',
  subject: { kind: 'otp', id: otpReference(id) },
  details: { otp: otpReference(id), scope },
})

/**
 * Records a wrong code in the transaction that counted it.
 * @param otp as it was counted
 */
export async function recordWrongCode(tx: Pick<Tx, 'events'>, source: EventSource, otp: Otp): Promise<void> {
  const about = { subject: ownerOfOtp(otp), details: { otp: otpReference(otp.id), scope: otp.scope } }
  await record(tx, source, { type: 'otp.wrong_code', ...about, refused: 'OTP_INVALID_CODE' })
  if (otp.state === 'locked') await record(tx, source, { type: 'otp.locked', ...about })
}
