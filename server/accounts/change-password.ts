import { changePassword as operation } from '../../contract/account.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { noticeFor } from '../delivery/notice.ts'
import type { Handler, UserCall } from '../handler.ts'
import type { Budgets } from '../limits/budgets.ts'
import { messageLocale } from '../otp/message-locale.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import { refusalsOf, ServiceError } from '../service-error.ts'
import { holdCaller } from './address-owner.ts'
import { countingFailures } from './failed-passwords.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import { freshMs, isLive } from './session.ts'
import { verifyPassword } from './sign-in-by-password.ts'

const refuse = refusalsOf(operation)

/** What changing a password needs. */
export interface ChangePasswordServices {
  readonly hasher: PasswordHasher
  readonly budgets: Budgets
  readonly delivery: Delivery
}

/**
 * `POST /account/password` (design 6): one transaction stores the password, ends every other session, cancels live
 * password resets and queues the notice. The session that asks goes on.
 */
export const changePassword =
  ({ hasher, budgets, delivery }: ChangePasswordServices): Handler<typeof operation> =>
  async ({ body: { currentPassword, password } }, call) => {
    const { now, tenant, storage, user, session } = call
    requireAllowedPassword(password, tenant.configuration)
    requireAuthMethod('password', tenant.configuration)
    const { email } = user
    if (email === null) throw refuse('EMAIL_NOT_SET')
    const verifiedHash = await requirePermission(currentPassword, email, call, { hasher, budgets })
    const passwordHash = await hasher.hash(password, call)
    const to = {
      userId: user.id,
      deliveryMethod: 'email',
      recipient: email,
      locale: await messageLocale(user.id, call),
    } as const
    const changed = await storage.write(async (tx) => {
      await holdCaller(tx, call)
      if (!(await tx.users.setPassword(user.id, verifiedHash, passwordHash, now))) return false
      // Read while the user is held: a session that was ended meanwhile must not undo what ended it.
      const asking = await tx.sessions.find(session.id)
      if (asking === null || !isLive(asking, now)) throw new ServiceError('INVALID_USER_TOKEN')
      await tx.sessions.revokeAllOf(user.id, now, session.id)
      await tx.otps.cancelLive(user.id, 'reset_password', now)
      if (delivery.canDeliver('email', email, tenant)) await tx.messages.notify(noticeFor('password_changed', to, now))
      return true
    })
    if (!changed) throw refuse('INVALID_CREDENTIALS')
    delivery.wake()
    return { success: true }
  }

/** The hash the current password fits; null where a sign-in of the last minutes stands in for it. */
async function requirePermission(
  currentPassword: string | undefined,
  email: string,
  call: UserCall,
  { hasher, budgets }: Omit<ChangePasswordServices, 'delivery'>,
): Promise<string | null> {
  const { now, storage, user, session } = call
  if (currentPassword === undefined) {
    if (now - session.createdAt >= freshMs) throw refuse('FRESH_SIGN_IN_REQUIRED')
    return null
  }
  const found = await storage.users.findByEmail(email)
  const own = found?.user.id === user.id ? found : null
  const account = { name: email, userId: user.id }
  const verifiedHash = await countingFailures(account, call, budgets, () =>
    verifyPassword(own, currentPassword, call, hasher),
  )
  if (verifiedHash === null) throw refuse('INVALID_CREDENTIALS')
  return verifiedHash
}
