import type { resetPassword as operation } from '../../contract/accounts/password-reset.ts'
import type { Call } from '../core/call.ts'
import { eventOf } from '../events/record.ts'
import { otpReference, ownerOfOtp } from '../events/subjects.ts'
import { withNewCode } from '../otp/code-budgets.ts'
import { messageLocale } from '../otp/message-locale.ts'
import { newOtp, presentIssued } from '../otp/new-otp.ts'
import { sendMessage } from '../otp/send-message.ts'
import type { Services } from '../services.ts'

/**
 * Step `challenge` (RESET-3 to RESET-8): sends a new one-time password to the user's stored address. Earlier ones stay
 * valid, so that no caller can cancel the reset of another person. A user without a password is treated like an unknown
 * one (threat C14). Under enumeration protection an unknown address gets a decoy, made by the same statements
 * (threat C26).
 */
export async function challengePasswordReset(
  { email, locale }: { readonly email: string; readonly locale?: string | undefined },
  call: Call<typeof operation>,
  { keyring, budgets, delivery, counts }: Services,
) {
  const { now, tenantId, snapshot, storage } = call
  const { otp: policy, security } = snapshot.configuration
  if (policy === null || !delivery.canDeliver('email', email, snapshot)) throw call.refuse('UNEXPECTED_STATE')
  const found = await storage.users.findByEmail(email, { evenly: security.enumerationProtection })
  const user = found?.passwordHash ? found.user : null
  if (user === null && !security.enumerationProtection) throw call.refuse('RESET_PASSWORD_USER_NOT_FOUND')

  const to = { scope: 'reset_password', deliveryMethod: 'email', recipient: user?.email ?? email } as const
  return withNewCode(to, call, budgets, async () => {
    const otp = newOtp(
      {
        ...to,
        tenantId,
        userId: user?.id ?? null,
        decoy: user === null,
        locale: await messageLocale(user?.id ?? null, call, locale),
      },
      policy,
      keyring,
      now,
    )
    const message = delivery.newMessage(tenantId, now)
    const event = eventOf(call, {
      type: 'password_reset.requested',
      subject: ownerOfOtp(otp),
      details: { otp: otpReference(otp.id) },
    })
    await storage.otps.issue(otp, message, event)
    counts.add(tenantId, 'codes')
    sendMessage(delivery, message, tenantId, otp)
    return presentIssued(otp)
  })
}
