import type { Capability } from '../../contract/tenants/capabilities.ts'
import { isRestricted } from '../accounts/restriction.ts'
import type { User } from '../accounts/user.ts'
import { ServiceError } from '../core/service-error.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'

/**
 * Refuses a capability that is restricted for the tenant or the user. `reset_password` is also refused where the tenant
 * has no password sign-in.
 */
export function requireCapability(
  capability: Capability,
  { tenant, configuration }: TenantSnapshot,
  user: User | null,
  now: number,
): void {
  const lacksPassword = configuration.auth !== null && !configuration.auth.methods.includes('password')
  const restricted =
    tenant.restrictedCapabilities.includes(capability) ||
    (user !== null && isRestricted(user, capability, now)) ||
    (capability === 'reset_password' && lacksPassword)
  if (restricted) throw new ServiceError('RESTRICTED_CAPABILITY')
}
