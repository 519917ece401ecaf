import type { TenantCall } from '../core/call.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * With the tenant's setting `security.passwordBlocklist`, refuses common passwords and those that attackers derive from
 * the account: its e-mail address, the part before the @, the tenant's name, in any letter case (NIST SP 800-63B 3.1.1.2:
 * context-specific words).
 * @param email the address the password will sign in with; null when the account has none
 * @throws VALIDATION_ERROR
 */
export function requireAllowedPassword(
  password: string,
  email: string | null,
  { snapshot: { tenant, configuration }, refuse }: Pick<TenantCall<'VALIDATION_ERROR'>, 'snapshot' | 'refuse'>,
): void {
  if (!configuration.security.passwordBlocklist) return
  if (isCommonPassword(password) || isFromAccount(password, tenant.name, email)) {
    throw refuse('VALIDATION_ERROR', { validation: { password: 'Validation rule not met' } })
  }
}

function isFromAccount(password: string, tenantName: string, email: string | null): boolean {
  const words = email === null ? [tenantName] : [tenantName, email, email.slice(0, email.lastIndexOf('@'))]
  const folded = password.toLowerCase()
  return words.some((word) => word.toLowerCase() === folded)
}
