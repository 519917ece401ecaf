import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { TenantCall } from '../core/call.ts'
import type { StoredOtpScope } from './otp.ts'

/**
 * Refuses sign-in codes at a tenant whose users cannot sign in with one: anyone with a publishable key could otherwise
 * send mail and SMS to any address. Under enumeration protection sign-up requires a code sent by e-mail, so those are
 * issued.
 */
export function requireSignInCodes(
  { scope, deliveryMethod }: { readonly scope: StoredOtpScope; readonly deliveryMethod: DeliveryMethod },
  { snapshot, refuse }: TenantCall<'RESTRICTED_CAPABILITY'>,
): void {
  const { auth, security } = snapshot.configuration
  if (scope !== 'otp_signin' || auth?.methods.includes('otp')) return
  if (deliveryMethod === 'email' && security.enumerationProtection) return
  throw refuse('RESTRICTED_CAPABILITY')
}
