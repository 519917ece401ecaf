import type { Address, User } from '../accounts/user.ts'
import { noticeFor } from '../delivery/notice.ts'
import { ServiceError } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'

/**
 * The user's address becomes another, proven just now: what was sent to the old one is cancelled (design 4), and a
 * notice tells it of the change.
 * @throws EMAIL_ALREADY_REGISTERED, PHONE_ALREADY_REGISTERED when somebody of the tenant has it
 */
export async function changeAddress(
  tx: Tx,
  user: User,
  address: Address,
  locale: string | null,
  now: number,
): Promise<void> {
  const isEmail = 'email' in address
  if (!(await tx.users.setAddress(user.id, address, now))) {
    throw new ServiceError(isEmail ? 'EMAIL_ALREADY_REGISTERED' : 'PHONE_ALREADY_REGISTERED')
  }
  await leaveAddress(tx, user, isEmail ? 'email' : 'phone', locale, now)
}

/** Ends what belonged to an address that the user has no more. */
export async function leaveAddress(
  tx: Tx,
  user: User,
  kind: 'email' | 'phone',
  locale: string | null,
  now: number,
): Promise<void> {
  await tx.otps.cancelLive(user.id, null, now)
  const old = user[kind]
  if (old === null) return
  const to = { userId: user.id, recipient: old, locale } as const
  const notice =
    kind === 'email'
      ? noticeFor('email_changed', { ...to, deliveryMethod: 'email' }, now)
      : noticeFor('phone_changed', { ...to, deliveryMethod: 'sms' }, now)
  await tx.messages.notify(notice)
}
