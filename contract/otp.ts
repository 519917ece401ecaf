import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { Done, Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { phoneNumber } from './phone-number.ts'
import { SessionAnswer } from './session.ts'
import { text } from './text.ts'

/** What a one-time password proves (contract 2.1). */
export const OtpScope = z.enum(['email_verification', 'phone_verification', 'reset_password', 'otp_signin'])
export type OtpScope = z.infer<typeof OtpScope>

/** How a code reaches its recipient; a resend reuses the first (contract 2.1). */
export const DeliveryMethod = z.enum(['email', 'sms'])
export type DeliveryMethod = z.infer<typeof DeliveryMethod>

/** The life of a one-time password (design 4); `expired` is a fact of time, never stored. */
export const OtpState = z.enum(['pending', 'verified', 'consumed', 'locked', 'cancelled', 'expired'])
export type OtpState = z.infer<typeof OtpState>

/** Where the latest message of a one-time password stands (design 4). */
export const DeliveryState = z.enum(['queued', 'sent', 'failed'])

/** What the maker of a one-time password is told (contract 4.2); `id` addresses it from then on. */
export const IssuedOtp = z.strictObject({
  id: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  resendIntervalSeconds: z.number(),
})

/** A language of the message, BCP 47. */
export const Locale = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/)

export const issueOtp = operation({
  method: 'POST',
  path: '/otp',
  summary: 'Issue a one-time password',
  description:
    'Sends a new code. `otp_signin` goes to the `email` or `phone` given, at tenants whose `auth.methods` has `otp` (otherwise RESTRICTED_CAPABILITY); by e-mail also under enumeration protection, where sign-up requires one. `email_verification` and `phone_verification` need a user token and prove the current address of that user, within the session that asks. TOO_MANY_REQUESTS also means that the recipient got too many codes, or that SMS to this prefix of phone numbers are paused.',
  auth: 'tenant, user?',
  limit: 'otp-create',
  capability: 'otp',
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
    'Proves the code. With `otp_signin` and `reset_password`, `id` is then the `token` of the next step. With `email_verification` and `phone_verification` the address is marked verified, or a new one (`POST /account/email`, `POST /account/phone`) becomes the account’s, and the one-time password is used up; the session that asked for the code must still be live, otherwise OTP_NOT_PENDING. When this is the account’s first way to sign in (a guest’s), all its sessions end, and the answer has a new one in `session`: replace both tokens.',
  auth: 'tenant',
  limit: 'verify',
  body: z.object({ id: text(), scope: OtpScope, code: text({ max: 64 }) }),
  status: 201,
  output: Done.extend({
    session: SessionAnswer.optional().describe(
      'Present when this was the account’s first way to sign in. Replace both tokens.',
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
  ],
})

export const resendOtp = operation({
  method: 'POST',
  path: '/otp/resend',
  summary: 'Resend a one-time password',
  description:
    'Sends the code of a pending one-time password again, to the same recipient by the same method. It does not extend its validity. A code that verifies or changes an address is refused with OTP_NOT_PENDING once the session that asked for it has ended.',
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
  summary: 'Status of a one-time password',
  description:
    'Where a one-time password stands. A POST, because the id is a secret and must not appear in access logs. Under enumeration protection `delivery` depends on time alone: `queued` for five seconds after a sending, then `sent`.',
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
    nextResendAt: Timestamp.nullable().describe('null when it will not be resent any more.'),
    resendsRemaining: z.int(),
    attemptsRemaining: z.int(),
    deliveryMethod: DeliveryMethod,
    recipient: z.string().describe('Masked.'),
    delivery: DeliveryState,
  }),
  errors: ['OTP_NOT_FOUND'],
})
