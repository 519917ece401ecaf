import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { Done, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { phoneNumber } from '../phone-number.ts'
import { text } from '../text.ts'
import { SessionAnswer } from './session.ts'

/** The purpose of a one-time password. */
export const OtpScope = z.enum(['email_verification', 'phone_verification', 'reset_password', 'otp_signin'])
export type OtpScope = z.infer<typeof OtpScope>

/** How a code is delivered; a resend uses the original method. */
export const DeliveryMethod = z.enum(['email', 'sms'])
export type DeliveryMethod = z.infer<typeof DeliveryMethod>

/** The state of a one-time password; `expired` follows from the time and is never stored. */
export const OtpState = z.enum(['pending', 'verified', 'consumed', 'locked', 'cancelled', 'expired'])
export type OtpState = z.infer<typeof OtpState>

/** The state of the latest message of a one-time password. */
export const DeliveryState = z.enum(['queued', 'sent', 'failed'])

/** The response to issuing a one-time password; `id` identifies it in all later requests. */
export const IssuedOtp = z.strictObject({
  id: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  resendIntervalSeconds: z.number(),
})

/** The language of a message, as a BCP 47 tag. */
export const Locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/)

export const issueOtp = operation({
  method: 'POST',
  path: '/otp',
  summary: 'Issue a one-time password',
  description:
    'Sends a new code. `otp_signin` sends it to the given `email` or `phone`. This requires `otp` in the tenant’s `auth.methods` (otherwise RESTRICTED_CAPABILITY), except for e-mail under enumeration protection, where sign-up requires a code. `email_verification` and `phone_verification` require an access token and verify the current address of that user; the code is valid only while that session is open. TOO_MANY_REQUESTS also means that the recipient was sent too many codes, or that SMS to this phone number prefix are paused.',
  auth: 'tenant, user?',
  limit: 'otp-create',
  capability: 'otp',
  idempotent: true,
  body: z.object({
    scope: z.enum(['email_verification', 'phone_verification', 'otp_signin']),
    email: emailAddress.optional(),
    phone: phoneNumber.optional(),
    locale: Locale.optional(),
  }),
  status: 201,
  output: IssuedOtp,
  errors: ['MISSING_USER_TOKEN', 'OTP_METHOD_NOT_AVAILABLE', 'TENANT_NOT_CONFIGURED', 'TOO_MANY_REQUESTS'],
})

export const verifyOtp = operation({
  method: 'POST',
  path: '/otp/verify',
  summary: 'Verify a one-time password',
  description:
    'Verifies the code. For `otp_signin` and `reset_password`, use `id` as the `token` of the next step. For `email_verification` and `phone_verification`, the address is marked verified, or the new address (`POST /account/email`, `POST /account/phone`) replaces the account’s, and the one-time password is consumed. The session that requested the code must still be open, otherwise OTP_NOT_PENDING. If this is the account’s first sign-in method (that of a guest), all sessions end and the response contains a new one in `session`: replace both tokens.',
  auth: 'tenant',
  limit: 'verify',
  body: z.object({ id: text(), scope: OtpScope, code: text({ max: 64 }) }),
  status: 201,
  output: Done.extend({
    session: SessionAnswer.optional().describe(
      'Present if this was the account’s first sign-in method. Replace both tokens.',
    ),
  }),
  errors: [
    'OTP_NOT_FOUND',
    'OTP_INVALID_CODE',
    'OTP_MAX_ATTEMPTS_REACHED',
    'OTP_ALREADY_VERIFIED',
    'OTP_ALREADY_CONSUMED',
    'OTP_NOT_PENDING',
    'EMAIL_ALREADY_REGISTERED',
    'PHONE_ALREADY_REGISTERED',
    'RESTRICTED_CAPABILITY',
  ],
})

export const resendOtp = operation({
  method: 'POST',
  path: '/otp/resend',
  summary: 'Resend a one-time password',
  description:
    'Sends the code of a pending one-time password again, to the same recipient by the same method. Does not extend its validity. A code that verifies or changes an address is rejected with OTP_NOT_PENDING after the session that requested it has ended.',
  auth: 'tenant',
  limit: 'resend',
  body: z.object({ id: text(), scope: OtpScope }),
  status: 201,
  output: Done,
  errors: [
    'OTP_NOT_FOUND',
    'OTP_NOT_PENDING',
    'OTP_RESEND_INTERVAL_NOT_EXPIRED',
    'OTP_MAX_RESENDS_REACHED',
    'TENANT_NOT_CONFIGURED',
  ],
})

export const getOtpStatus = operation({
  method: 'POST',
  path: '/otp/status',
  summary: 'Read the status of a one-time password',
  description:
    'Returns the state of a one-time password. A POST, because the id is a secret and must not appear in access logs. Under enumeration protection, `delivery` depends on time alone: `queued` for five seconds after each send, then `sent`.',
  auth: 'tenant',
  limit: 'status',
  body: z.object({ id: text(), scope: OtpScope }),
  status: 200,
  output: z.strictObject({
    id: z.string(),
    scope: OtpScope,
    state: OtpState,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    nextResendAt: Timestamp.nullable().describe('null if no further resend is possible.'),
    resendsRemaining: z.int(),
    attemptsRemaining: z.int(),
    deliveryMethod: DeliveryMethod,
    recipient: z.string().describe('Masked address of the recipient.'),
    delivery: DeliveryState,
  }),
  errors: ['OTP_NOT_FOUND'],
})
