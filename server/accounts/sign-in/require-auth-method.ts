import type { AuthMethod } from '../../../contract/tenants/tenant-configuration.ts'
import type { TenantCall } from '../../core/call.ts'

/** Refuses a sign-in method that the tenant has not enabled. */
export function requireAuthMethod(
  method: AuthMethod,
  { snapshot, refuse }: TenantCall<'AUTH_METHOD_NOT_ENABLED'>,
): void {
  if (!snapshot.configuration.auth?.methods.includes(method)) throw refuse('AUTH_METHOD_NOT_ENABLED')
}
