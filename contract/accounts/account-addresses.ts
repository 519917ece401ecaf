import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { Done } from '../envelope.ts'
import { operation } from '../operation.ts'
import { phoneNumber } from '../phone-number.ts'
import { text } from '../text.ts'
import { IssuedOtp, Locale } from './otp.ts'

const newAddress = {
  method: 'POST',
  auth: 'tenant, user',
  limit: 'otp-create',
  capability: 'otp',
  status: 201,
  output: IssuedOtp,
} as const

export const changeEmail = operation({
  ...newAddress,
  path: '/account/email',
  summary: 'Change the e-mail address',
  description:
    'Sends a code to the new address. The address changes when `POST /otp/verify` with scope `email_verification` verifies the code. If this session ends first, the code is rejected with OTP_NOT_PENDING. After the change, a notice is sent to every previously verified address; the notice to the old address contains a code that undoes the change (`POST /account/recover`). Limited to ten codes per account and hour, together with additions of sign-in methods (`identity-additions`). Requires a fresh sign-in. For 72 hours after an undo, changing the restored address requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).',
  body: z.object({ email: emailAddress, locale: Locale.optional() }),
  errors: [
    'FRESH_SIGN_IN_REQUIRED',
    'ADDRESS_PROOF_REQUIRED',
    'EMAIL_ALREADY_REGISTERED',
    'OTP_METHOD_NOT_AVAILABLE',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
  ],
})

export const changePhone = operation({
  ...newAddress,
  path: '/account/phone',
  summary: 'Change the phone number',
  description:
    'Sends a code to the new number. The number changes when `POST /otp/verify` with scope `phone_verification` verifies the code. If this session ends first, the code is rejected with OTP_NOT_PENDING. After the change, a notice is sent to every previously verified address; the notice to the old number contains a code that undoes the change (`POST /account/recover`). Limited to ten codes per account and hour, together with additions of sign-in methods (`identity-additions`). Requires a fresh sign-in. For 72 hours after an undo, changing the restored number requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).',
  body: z.object({ phone: phoneNumber, locale: Locale.optional() }),
  errors: [
    'FRESH_SIGN_IN_REQUIRED',
    'ADDRESS_PROOF_REQUIRED',
    'PHONE_ALREADY_REGISTERED',
    'OTP_METHOD_NOT_AVAILABLE',
    'TENANT_NOT_CONFIGURED',
    'TOO_MANY_REQUESTS',
  ],
})

export const recoverAccount = operation({
  method: 'POST',
  path: '/account/recover',
  summary: 'Undo an address change',
  description:
    'When a verified e-mail address or phone number is changed or removed, the notice to it contains a code and a reference, valid for 72 hours. Send the code, and the reference as `id`. The operation works once: it restores the address, ends all sessions, cancels unused one-time passwords, and removes identities, the other address and the password if they were added since the change. A password that was changed since then is invalidated; the user must reset it. Requires no sign-in: offer both fields on the sign-in screen. For the next 72 hours, changing or removing the restored address requires a code to it.',
  auth: 'tenant',
  limit: 'recover',
  body: z.object({ id: text().describe('The reference in the notice.'), code: text({ max: 64 }) }),
  status: 201,
  output: Done,
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
