import type { z } from 'zod'
import { type DeliveryMethod, issueOtp as operation } from '../../contract/otp.ts'
import type { User } from '../accounts/user.ts'
import type { Handler } from '../core/handler.ts'
import { invalid, refusalsOf } from '../core/service-error.ts'
import { sendCode } from './send-code.ts'

const refuse = refusalsOf(operation)

/** `POST /otp` (design 4): a fresh code to an address, for signing in or to prove the address of a signed-in user. */
export const issueOtp: Handler<typeof operation> = async ({ body }, call, services) => {
  const { scope, locale } = body
  const asker =
    scope === 'otp_signin' ? { userId: null } : { userId: call.user?.id ?? null, sessionId: call.session?.id ?? null }
  return sendCode({ ...recipientOf(body, call.user), ...asker, scope, locale }, call, services)
}

interface Recipient {
  readonly deliveryMethod: DeliveryMethod
  readonly recipient: string
}

/**
 * A sign-in code goes to the one address given. A verification code goes to the user's own address; naming it is
 * allowed, naming another is not: that would be a change of address, which is another operation.
 */
function recipientOf({ scope, email, phone }: z.output<typeof operation.body>, user: User | null): Recipient {
  if (scope === 'otp_signin') {
    if (email !== undefined && phone !== undefined) throw invalid({ phone: 'Validation rule not met' })
    if (email !== undefined) return { deliveryMethod: 'email', recipient: email }
    if (phone !== undefined) return { deliveryMethod: 'sms', recipient: phone }
    throw invalid({ email: 'Required' })
  }
  if (user === null) throw refuse('MISSING_USER_TOKEN')
  return scope === 'email_verification'
    ? { deliveryMethod: 'email', recipient: ownAddress('email', email, user.email) }
    : { deliveryMethod: 'sms', recipient: ownAddress('phone', phone, user.phone) }
}

function ownAddress(field: 'email' | 'phone', given: string | undefined, own: string | null): string {
  if (own === null && given === undefined) throw invalid({ [field]: 'Required' })
  if (own === null || (given !== undefined && given !== own)) throw invalid({ [field]: 'Validation rule not met' })
  return own
}
