import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { Done } from '../envelope.ts'
import { operation } from '../operation.ts'
import { text } from '../text.ts'
import { IssuedOtp, Locale } from './otp.ts'

/** 8 to 1024 code points, no composition rules (NIST SP 800-63B 3.1.1.2). */
export const NewPassword = text({ min: 8, max: 1024 })

const Challenge = z.object({ step: z.literal('challenge'), email: emailAddress, locale: Locale.optional() })
const Confirm = z.object({ step: z.literal('confirm'), token: text(), password: NewPassword })

export const resetPassword = operation({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Reset a password',
  description:
    'Step `challenge` sends a one-time password to the address. Verify it with `POST /otp/verify`. Step `confirm` consumes it and stores the new password. This ends all sessions of the user, cancels other pending resets and address changes, resets the count of failed passwords from this network and from known networks, and sends a notice to every verified address. Linked identities remain, unless this was the first verification of the address.',
  auth: 'tenant',
  limit: 'reset-password',
  capability: 'reset_password',
  body: z.discriminatedUnion('step', [Challenge, Confirm]),
  status: 201,
  output: z.union([IssuedOtp, Done]),
  errors: [
    'RESET_PASSWORD_USER_NOT_FOUND',
    'OTP_NOT_FOUND',
    'OTP_NOT_CONSUMABLE',
    'OTP_ALREADY_CONSUMED',
    'OTP_CONSUME_CALLBACK_ERROR',
    'UNEXPECTED_STATE',
  ],
})
