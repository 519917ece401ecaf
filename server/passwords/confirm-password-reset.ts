import { resetPassword as operation } from '../../contract/password-reset.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { noticeFor } from '../delivery/notice.ts'
import type { TenantCall } from '../handler.ts'
import { forgetOtherWays } from '../otp/first-proof.ts'
import { messageLocale } from '../otp/message-locale.ts'
import { consumeRefusal } from '../otp/otp.ts'
import { refusalsOf, ServiceError } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { requireAllowedPassword } from './require-allowed-password.ts'

const refuse = refusalsOf(operation)

/** What a confirm needs. */
export interface ConfirmServices {
  readonly hasher: PasswordHasher
  readonly delivery: Delivery
}

/**
 * Step `confirm` (contract 4.2). The hash is made before the transaction, and only for a one-time password that could
 * be consumed: random tokens cost no hashing (threat C31). Whatever fails while storing leaves it verified.
 */
export async function confirmPasswordReset(
  { token, password }: { readonly token: string; readonly password: string },
  call: TenantCall,
  { hasher, delivery }: ConfirmServices,
): Promise<{ success: true }> {
  const { now, storage } = call
  requireAllowedPassword(password, call.tenant.configuration)
  const otp = await storage.otps.find(token, 'reset_password')
  const refusal = consumeRefusal(otp, now)
  if (refusal !== null) throw refuse(refusal)
  const locale = await messageLocale(otp?.userId ?? null, call)
  try {
    const passwordHash = await hasher.hash(password, call)
    await storage.write((tx) => consumeAndStore(tx, { token, userId: otp?.userId ?? null, passwordHash, locale }, now))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('OTP_CONSUME_CALLBACK_ERROR', {}, { cause: error })
  }
  delivery.wake()
  return { success: true }
}

interface Reset {
  readonly token: string
  /** Whose one-time password it is; null of a decoy. */
  readonly userId: string | null
  readonly passwordHash: string
  /** Language of the notice. */
  readonly locale: string | null
}

/**
 * One transaction: consumed, password stored, sessions ended, other resets cancelled, notice queued (design 5). The user's
 * row is held first, as by all who change what is a user's: a sign-in under way waits there (threat D10), and of two
 * confirms none waits for a row of the other's.
 */
async function consumeAndStore(tx: Tx, { token, userId, passwordHash, locale }: Reset, now: number): Promise<void> {
  const user = userId === null ? null : await tx.users.hold(userId)
  const { applied, otp } = await tx.otps.consume(token, 'reset_password', now)
  if (!applied || otp === null) throw refuse(consumeRefusal(otp, now) ?? 'OTP_NOT_CONSUMABLE')
  if (otp.decoy) return
  const { recipient } = otp
  // A challenge that had found its user before an address change, and stored after it, was not cancelled by it.
  if (userId === null || user === null || user.email !== recipient) throw refuse('OTP_NOT_CONSUMABLE')
  if (!(await tx.users.resetPassword(userId, passwordHash, now))) throw refuse('OTP_NOT_CONSUMABLE')
  if (user.emailVerifiedAt === null) await forgetOtherWays(tx, user, { email: recipient }, now)
  await tx.sessions.revokeAllOf(userId, now)
  await tx.otps.cancelLive(userId, 'reset_password', now)
  await tx.messages.notify(noticeFor('password_changed', { userId, deliveryMethod: 'email', recipient, locale }, now))
}
