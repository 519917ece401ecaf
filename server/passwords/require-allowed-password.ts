import { invalid } from '../service-error.ts'
import type { TenantConfiguration } from '../tenants/tenant-configuration.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * Refuses common passwords where the tenant asks for it (`security.passwordBlocklist`; design 5, NIST SP 800-63B 3.1.1.2).
 * @throws VALIDATION_ERROR
 */
export function requireAllowedPassword(password: string, { security }: TenantConfiguration): void {
  if (security.passwordBlocklist && isCommonPassword(password)) throw invalid({ password: 'Validation rule not met' })
}
