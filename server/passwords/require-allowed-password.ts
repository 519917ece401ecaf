import { invalid } from '../core/service-error.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * Where the tenant asks for it (`security.passwordBlocklist`), refuses common passwords and those that guessers derive
 * from the account: its e-mail address, the part before the @, the tenant's name, in any letter case (NIST SP 800-63B
 * 3.1.1.2: context-specific words).
 * @param email the address the password will sign in with; null where the account has none
 * @throws VALIDATION_ERROR
 */
export function requireAllowedPassword(
  password: string,
  { tenant, configuration }: TenantSnapshot,
  email: string | null,
): void {
  if (!configuration.security.passwordBlocklist) return
  if (isCommonPassword(password) || isFromAccount(password, tenant.name, email)) {
    throw invalid({ password: 'Validation rule not met' })
  }
}

function isFromAccount(password: string, tenantName: string, email: string | null): boolean {
  const words = email === null ? [tenantName] : [tenantName, email, email.slice(0, email.lastIndexOf('@'))]
  const folded = password.toLowerCase()
  return words.some((word) => word.toLowerCase() === folded)
}
