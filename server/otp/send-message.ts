import type { OtpScope } from '../../contract/accounts/otp.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { NewMessage } from '../delivery/message.ts'
import type { ClaimedMessage } from '../delivery/outbox.ts'
import type { Otp } from './otp.ts'

/** Hands the message of a one-time password to delivery, once both are stored. */
export const sendMessage = (delivery: Delivery, message: NewMessage, tenantId: string, otp: Otp): void =>
  delivery.send(claimedMessage(message, tenantId, otp), message.lease)

/** The message as a claim would return it. */
export const claimedMessage = ({ id }: NewMessage, tenantId: string, otp: Otp): ClaimedMessage => ({
  ...{ id, tenantId, kind: 'otp', otpId: otp.id, scope: otp.scope as OtpScope, userId: otp.userId },
  ...{ deliveryMethod: otp.deliveryMethod, recipient: otp.recipient, decoy: otp.decoy, locale: otp.locale },
  ...{ attempts: 0, createdAt: otp.lastSentAt, expiresAt: otp.expiresAt, sealedCode: otp.sealedCode },
})
