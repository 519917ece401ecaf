import type { z } from 'zod'
import type { IssuedOtp } from '../../contract/accounts/otp.ts'
import type { TenantCall } from '../core/call.ts'
import { keepAnswer } from '../core/idempotency.ts'
import { eventOf } from '../events/record.ts'
import type { Services } from '../services.ts'
import { withNewCode } from './code-budgets.ts'
import { messageLocale } from './message-locale.ts'
import { type NewOtpFor, newOtp, presentIssued } from './new-otp.ts'
import { createdFact } from './otp-events.ts'
import { requireSignInCodes } from './require-sign-in-codes.ts'
import { sendMessage } from './send-message.ts'

/** Why no code is sent, apart from an exhausted budget (TOO_MANY_REQUESTS). */
type SendRefusal =
  | 'TENANT_NOT_CONFIGURED'
  | 'RESTRICTED_CAPABILITY'
  | 'OTP_METHOD_NOT_AVAILABLE'
  | 'TOKEN_USER_NOT_FOUND'

/**
 * Issues a one-time password and queues its message.
 * @param to `locale` is the language that the request asks for
 * @param requireOwner refuses when the locked user no longer has the address
 */
export async function sendCode(
  to: Omit<NewOtpFor, 'tenantId' | 'decoy' | 'locale'> & { readonly locale: string | undefined },
  call: TenantCall<SendRefusal>,
  { keyring, budgets, delivery, smsBrake, counts }: Services,
  requireOwner?: (user: Readonly<Record<'email' | 'phone', string | null>>) => unknown,
): Promise<z.infer<typeof IssuedOtp>> {
  const { now, tenantId, snapshot, storage } = call
  const { configuration } = snapshot
  if (configuration.otp === null) throw call.refuse('TENANT_NOT_CONFIGURED')
  requireSignInCodes(to, call)
  if (!delivery.canDeliver(to.deliveryMethod, to.recipient, snapshot)) throw call.refuse('OTP_METHOD_NOT_AVAILABLE')
  const policy = configuration.otp
  const issue = async () => {
    const locale = await messageLocale(to.userId, call, to.locale)
    const otp = newOtp({ ...to, tenantId, decoy: false, locale }, policy, keyring, now)
    const message = delivery.newMessage(tenantId, now)
    const answer = presentIssued(otp)
    await storage.write(async (tx) => {
      await keepAnswer(tx, call, answer, to.userId)
      // A user deleted since the request checks gets no row and no message.
      const user = to.userId === null ? null : await tx.users.lock(to.userId)
      if (to.userId !== null && user === null) throw call.refuse('TOKEN_USER_NOT_FOUND')
      if (user !== null) requireOwner?.(user)
      await tx.otps.issue(otp, message, eventOf(call, createdFact(otp)))
    })
    counts.add(tenantId, 'codes')
    sendMessage(delivery, message, tenantId, otp)
    return answer
  }
  const { deliveryMethod, recipient } = to
  return withNewCode(to, call, budgets, () =>
    deliveryMethod === 'sms' ? smsBrake.take({ tenantId, recipient }, now, issue) : issue(),
  )
}
