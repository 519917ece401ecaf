import type { Address, User } from '../accounts/user.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { noticeFor } from '../delivery/notice.ts'
import { ServiceError } from '../service-error.ts'
import type { Tx } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

/** How the one who had the address is told. */
export interface Departure {
  readonly locale: string | null
  readonly tenant: TenantSnapshot
  readonly delivery: Delivery
}

/**
 * The user's address becomes another, proven just now: what was sent to the old one is cancelled (design 4), and a
 * notice tells it of the change.
 * @throws EMAIL_ALREADY_REGISTERED, PHONE_ALREADY_REGISTERED when somebody of the tenant has it
 */
export async function changeAddress(
  tx: Tx,
  user: User,
  address: Address,
  departure: Departure,
  now: number,
): Promise<void> {
  const isEmail = 'email' in address
  if (!(await tx.users.setAddress(user.id, address, now))) {
    throw new ServiceError(isEmail ? 'EMAIL_ALREADY_REGISTERED' : 'PHONE_ALREADY_REGISTERED')
  }
  await leaveAddress(tx, user, isEmail ? 'email' : 'phone', departure, now)
}

/** Ends what belonged to an address that the user has no more. */
export async function leaveAddress(
  tx: Tx,
  user: User,
  kind: 'email' | 'phone',
  { locale, tenant, delivery }: Departure,
  now: number,
): Promise<void> {
  await tx.otps.cancelLive(user.id, null, now)
  const old = user[kind]
  if (old === null) return
  const deliveryMethod = kind === 'email' ? 'email' : 'sms'
  if (!delivery.canDeliver(deliveryMethod, old, tenant)) return
  await tx.messages.notify(
    noticeFor(`${kind}_changed`, { userId: user.id, recipient: old, deliveryMethod, locale }, now),
  )
}
