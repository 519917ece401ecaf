import type { getOtpStatus as operation } from '../../contract/accounts/otp.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { Handler } from '../core/handler.ts'
import { maskRecipient } from '../delivery/mask.ts'
import type { MessageState } from '../delivery/message.ts'
import { nextResendAt, type Otp, stateOf } from './otp.ts'

/**
 * `POST /otp/status` (OTP-14, OTP-15): the state of a one-time password, without its code and with the address masked.
 */
export const getOtpStatus: Handler<typeof operation> = async (
  { body: { id, scope } },
  { now, refuse, storage, snapshot },
) => {
  const otp = await storage.otps.find(id, scope)
  if (otp === null) throw refuse('OTP_NOT_FOUND')
  const state = stateOf(otp, now)
  const resendsRemaining = state === 'pending' ? otp.maxResends - otp.resendCount : 0
  const resendAt = nextResendAt(otp)
  return {
    id: otp.id,
    scope,
    state,
    createdAt: timestamp(otp.createdAt),
    expiresAt: timestamp(otp.expiresAt),
    nextResendAt: resendsRemaining > 0 && resendAt < otp.expiresAt ? timestamp(resendAt) : null,
    resendsRemaining,
    attemptsRemaining: state === 'pending' ? otp.maxVerifyAttempts - otp.wrongCodes : 0,
    deliveryMethod: otp.deliveryMethod,
    recipient: maskRecipient(otp.deliveryMethod, otp.recipient),
    delivery: snapshot.configuration.security.enumerationProtection
      ? presumedDelivery(otp, now)
      : deliveryOf(await storage.messages.latestOf(otp.id)),
  }
}

/** Far longer than a working provider takes. */
const presumedSentMs = 5_000

/**
 * Under enumeration protection a function of time alone: the real state would distinguish a real address, whose mail
 * may be slow or bounce, from a decoy, which is never sent.
 */
const presumedDelivery = ({ lastSentAt }: Otp, now: number) => (now - lastSentAt < presumedSentMs ? 'queued' : 'sent')

/** A message being sent is `queued`; a cancelled one is `failed`. */
function deliveryOf(state: MessageState | null) {
  if (state === 'sent') return 'sent'
  return state === 'queued' || state === 'sending' ? 'queued' : 'failed'
}
