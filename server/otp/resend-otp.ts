import type { OtpScope, resendOtp as operation } from '../../contract/accounts/otp.ts'
import type { Handler } from '../core/handler.ts'
import type { NewMessage } from '../delivery/message.ts'
import type { QueuedEvent } from '../events/event.ts'
import { eventOf } from '../events/record.ts'
import type { Tx } from '../storage/storage.ts'
import type { AddressCodes } from './address-codes.ts'
import { changesAccount, nextResendAt, resendRefusal, stateOf } from './otp.ts'
import { resentFact } from './otp-events.ts'
import type { Outcome } from './otp-store.ts'
import { sendMessage } from './send-message.ts'

/** `POST /otp/resend` (RESEND-1 to RESEND-9): the same code to the same recipient, by the same delivery method. */
export const resendOtp: Handler<typeof operation> = async (
  { body: { id, scope } },
  call,
  { delivery, addressCodes, counts },
) => {
  const { now, refuse, snapshot, storage, tenantId } = call
  if (snapshot.configuration.otp === null) throw refuse('TENANT_NOT_CONFIGURED')
  const message = delivery.newMessage(tenantId, now)
  const event = eventOf(call, resentFact(id, scope))
  const { applied, otp } = changesAccount(scope)
    ? await storage.write((tx) => resendAddressCode(tx, { id, scope, now, message, event }, addressCodes))
    : await storage.otps.resend(id, scope, now, message, event)
  if (applied && otp !== null) {
    counts.add(tenantId, 'codes')
    sendMessage(delivery, message, tenantId, otp)
    return { success: true }
  }
  const refusal = resendRefusal(otp, now)
  if (refusal === null) throw new Error('The storage refused a resend that the rules allow')
  const waitMs = otp && refusal === 'OTP_RESEND_INTERVAL_NOT_EXPIRED' ? nextResendAt(otp) - now : undefined
  throw refuse(refusal, waitMs === undefined ? {} : { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

interface Resend {
  readonly id: string
  readonly scope: OtpScope
  readonly now: number
  readonly message: NewMessage
  readonly event: QueuedEvent | null
}

/** An address code counts as cancelled once the session that requested it has ended. */
async function resendAddressCode(
  tx: Tx,
  { id, scope, now, message, event }: Resend,
  addressCodes: AddressCodes<unknown>,
): Promise<Outcome> {
  const otp = await tx.otps.find(id, scope)
  if (otp !== null && stateOf(otp, now) === 'pending' && (await addressCodes.lockOwner(tx, otp, now)) === null) {
    return { applied: false, otp: { ...otp, state: 'cancelled' } }
  }
  return tx.otps.resend(id, scope, now, message, event)
}
