import type { AuthMethod } from '../../contract/tenant-configuration.ts'
import { ServiceError } from '../core/service-error.ts'
import type { TenantConfiguration } from '../tenants/tenant-configuration.ts'

/**
 * Refuses a sign-in method the tenant has not enabled (design 6).
 * @throws AUTH_METHOD_NOT_ENABLED
 */
export function requireAuthMethod(method: AuthMethod, { auth }: TenantConfiguration): void {
  if (!auth?.methods.includes(method)) throw new ServiceError('AUTH_METHOD_NOT_ENABLED')
}
