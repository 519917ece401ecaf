import type * as operations from '../../../contract/accounts/account-addresses.ts'
import type { Handler } from '../../core/handler.ts'
import { sendCode } from '../../otp/send-code.ts'
import { requireFresh } from '../sign-in/require-fresh.ts'
import { withAddressBudget } from './change-budget.ts'
import { requireAddressProof } from './require-address-proof.ts'

/**
 * `POST /account/email` (ACCOUNT-2): sends a code to the new address; verifying it makes the change. Under enumeration
 * protection only the owner of the address learns that another user has it, when verifying.
 */
export const changeEmail: Handler<typeof operations.changeEmail> = async (
  { body: { email, locale } },
  call,
  services,
) => {
  requireFresh(call)
  const { storage, snapshot, user, session } = call
  await requireAddressProof(storage, user, 'email', call)
  const holder = snapshot.configuration.security.enumerationProtection ? null : await storage.users.findByEmail(email)
  if (holder !== null && holder.user.id !== user.id) throw call.refuse('EMAIL_ALREADY_REGISTERED')
  const to = { deliveryMethod: 'email', recipient: email, locale } as const
  const code = { ...to, scope: 'email_verification', userId: user.id, sessionId: session.id } as const
  return withAddressBudget(call, services.budgets, () => sendCode(code, call, services))
}

/** `POST /account/phone`: the same for the phone number. */
export const changePhone: Handler<typeof operations.changePhone> = async (
  { body: { phone, locale } },
  call,
  services,
) => {
  requireFresh(call)
  const { storage, snapshot, user, session } = call
  await requireAddressProof(storage, user, 'phone', call)
  const holder = snapshot.configuration.security.enumerationProtection ? null : await storage.users.findByPhone(phone)
  if (holder !== null && holder.id !== user.id) throw call.refuse('PHONE_ALREADY_REGISTERED')
  const to = { deliveryMethod: 'sms', recipient: phone, locale } as const
  const code = { ...to, scope: 'phone_verification', userId: user.id, sessionId: session.id } as const
  return withAddressBudget(call, services.budgets, () => sendCode(code, call, services))
}
