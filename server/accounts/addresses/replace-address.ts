import type { TenantCall } from '../../core/call.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../storage/storage.ts'
import { giveAddress } from '../end-attempts.ts'
import { notifyAddressChange } from '../notify-user.ts'
import type { Address, User } from '../user.ts'
import { kindOf, registered } from './address.ts'

/**
 * Replaces an address of the user with one that was proven just now. Cancels live one-time passwords and notifies the
 * verified addresses the account had before.
 * @param before locked
 */
export async function replaceAddress(
  tx: Tx,
  before: User,
  address: Address,
  call: TenantCall<'EMAIL_ALREADY_REGISTERED' | 'PHONE_ALREADY_REGISTERED'>,
  services: Services,
): Promise<void> {
  const kind = kindOf(address)
  if (!(await giveAddress(tx, before.id, address, call.now))) throw call.refuse(registered[kind])
  await tx.otps.cancelLive(before.id, call.now)
  await notifyAddressChange(tx, before, kind, call, services)
}
