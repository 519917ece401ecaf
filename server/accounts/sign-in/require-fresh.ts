import type { UserCall } from '../../core/call.ts'
import type { TenantConfiguration } from '../../tenants/tenant-configuration.ts'
import { clockSkewSeconds } from '../sessions/access-token-times.ts'
import { methodsOf, type User } from '../user.ts'

/** Whether the tenant enables a way for this user to sign in again; being a guest is not one. */
export const canSignIn = (user: User, { auth }: TenantConfiguration): boolean =>
  methodsOf(user).some((method) => method !== 'guest' && auth?.methods.includes(method))

/**
 * Whether a time is less than `security.freshSeconds` ago. One in the future is stale: the clock was wrong then, and it would
 * stay fresh until that time.
 * @param at epoch milliseconds
 */
export function isFresh(at: number, { now, snapshot: { configuration } }: Pick<UserCall, 'now' | 'snapshot'>): boolean {
  const age = now - at
  return age >= -clockSkewSeconds * 1000 && age < configuration.security.freshSeconds * 1000
}

/**
 * Refuses a sensitive operation when the authentication behind the access token is older than `security.freshSeconds`.
 * The time is the token's, not the session's: an older token of the same session stays stale after a step-up. A user
 * without any way to sign in is exempt, because there is nothing to prove (SIGNIN-13, SIGNIN-14).
 */
export function requireFresh(call: UserCall<'FRESH_SIGN_IN_REQUIRED'>): void {
  const { authentication, user, snapshot } = call
  if (isFresh(authentication.at, call) || !canSignIn(user, snapshot.configuration)) return
  throw call.refuse('FRESH_SIGN_IN_REQUIRED')
}
