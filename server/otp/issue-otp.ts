import type { z } from 'zod'
import { type DeliveryMethod, issueOtp as operation } from '../../contract/otp.ts'
import type { User } from '../accounts/user.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { availableLocales, chooseLocale } from '../delivery/templates/locale.ts'
import type { Handler } from '../handler.ts'
import { ulid } from '../ids.ts'
import type { Budgets } from '../limits/budgets.ts'
import { findUserLocale } from '../profiles/find-user-locale.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { invalid, refusalsOf } from '../service-error.ts'
import { takeNewCode } from './code-budgets.ts'
import { newOtp, presentIssued } from './new-otp.ts'

const refuse = refusalsOf(operation)

/** `POST /otp` (design 4): a fresh code to an address, for signing in or to prove the address of a signed-in user. */
export const issueOtp =
  (keyring: Keyring, budgets: Budgets, delivery: Delivery): Handler<typeof operation> =>
  async ({ body }, { now, tenant, storage, user, address, acceptLanguage }) => {
    const to = recipientOf(body, user)
    const { configuration } = tenant
    if (configuration.otp === null) throw refuse('TENANT_NOT_CONFIGURED')
    if (!delivery.canDeliver(to.deliveryMethod, to.recipient, tenant)) throw refuse('OTP_METHOD_NOT_AVAILABLE')
    const tenantId = tenant.tenant.id
    await takeNewCode(budgets, { tenantId, recipient: to.recipient }, address, now)

    const userId = body.scope === 'otp_signin' ? null : (user?.id ?? null)
    const locale = chooseLocale({
      requested: body.locale,
      user: userId && (await findUserLocale(storage.profiles, userId)),
      acceptLanguage,
      tenantDefault: configuration.delivery.defaultLocale,
      available: availableLocales(configuration.delivery.templates ?? null),
    })
    const otp = newOtp(
      { ...to, tenantId, scope: body.scope, userId, decoy: false, locale },
      configuration.otp,
      keyring,
      now,
    )
    await storage.otps.issue(otp, { id: ulid(now) })
    delivery.wake()
    return presentIssued(otp)
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
