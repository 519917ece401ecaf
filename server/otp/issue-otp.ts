import type { z } from 'zod'
import type { issueOtp as operation } from '../../contract/accounts/otp.ts'
import type { Call } from '../core/call.ts'
import type { Handler } from '../core/handler.ts'
import type { Refuse } from '../core/service-error.ts'
import type { Recipient } from './otp.ts'
import { sendCode } from './send-code.ts'

/** `POST /otp` (OTP-1 to OTP-6): sends a new code, to sign in or to verify the address of a signed-in user. */
export const issueOtp: Handler<typeof operation> = async ({ body }, call, services) => {
  const { scope, locale } = body
  const to = recipientOf(body, call)
  if (scope === 'otp_signin') return sendCode({ ...to, userId: null, scope, locale }, call, services)
  const asker = { userId: call.user?.id ?? null, sessionId: call.session?.id ?? null }
  const kind = scope === 'email_verification' ? 'email' : 'phone'
  // Verified after a change of the address, the code would take the change back.
  return sendCode({ ...to, ...asker, scope, locale }, call, services, (user) =>
    ownAddress(kind, to.recipient, user[kind], call.refuse),
  )
}

/**
 * A sign-in code goes to the one address in the body. A verification code goes to the user's own address. The body may
 * contain that address, but no other: changing it is another operation.
 */
function recipientOf(
  { scope, email, phone }: z.output<typeof operation.body>,
  { user, refuse }: Call<typeof operation>,
): Recipient {
  if (scope === 'otp_signin') {
    if (email !== undefined && phone !== undefined)
      throw refuse('VALIDATION_ERROR', { validation: { phone: 'Validation rule not met' } })
    if (email !== undefined) return { deliveryMethod: 'email', recipient: email }
    if (phone !== undefined) return { deliveryMethod: 'sms', recipient: phone }
    throw refuse('VALIDATION_ERROR', { validation: { email: 'Required' } })
  }
  if (user === null) throw refuse('MISSING_USER_TOKEN')
  return scope === 'email_verification'
    ? { deliveryMethod: 'email', recipient: ownAddress('email', email, user.email, refuse) }
    : { deliveryMethod: 'sms', recipient: ownAddress('phone', phone, user.phone, refuse) }
}

function ownAddress(
  field: 'email' | 'phone',
  given: string | undefined,
  own: string | null,
  refuse: Refuse<'VALIDATION_ERROR'>,
): string {
  if (own === null && given === undefined) throw refuse('VALIDATION_ERROR', { validation: { [field]: 'Required' } })
  if (own === null || (given !== undefined && given !== own))
    throw refuse('VALIDATION_ERROR', { validation: { [field]: 'Validation rule not met' } })
  return own
}
