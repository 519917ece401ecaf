import type { MissingGrant } from '../../../contract/scope-names.ts'
import { type GrantedScope, type Role, roles } from '../../../contract/scopes.ts'
import type { AdminCall } from '../../core/call.ts'
import type { Refuse, ServiceError } from '../../core/service-error.ts'
import { lackingFor } from '../../operators/lacking.ts'
import type { Grant } from '../../operators/operator.ts'
import type { Services } from '../../services.ts'
import type { Storage } from '../../storage/storage.ts'

/** What a body grants; absent members stay as they are. */
interface GivenGrants {
  readonly role?: Role | undefined
  readonly scopes?: readonly GrantedScope[] | undefined
  readonly tenantIds?: readonly string[] | null | undefined
  readonly expiresAt?: string | null | undefined
}

/** The grants of a body: roles expanded, duplicates removed. Refuses unknown tenants and an expiry that has passed. */
export async function readGrants(
  { role, scopes, tenantIds, expiresAt }: GivenGrants,
  { now, refuse }: { readonly now: number; readonly refuse: Refuse<'VALIDATION_ERROR'> },
  storage: Storage,
): Promise<Partial<Grant>> {
  const invalid = (validation: Record<string, string>) => refuse('VALIDATION_ERROR', { validation })
  const granted = role === undefined ? scopes : roles[role]
  const time = typeof expiresAt === 'string' ? Date.parse(expiresAt) : expiresAt
  // Negated, so that an unreadable date (NaN) is refused too.
  if (typeof time === 'number' && !(time > now)) throw invalid({ expiresAt: 'Must be in the future' })
  const found = await Promise.all((tenantIds ?? []).map((id) => storage.forTenant(id).tenant.get()))
  const unknown = found.flatMap((tenant, index) => (tenant === null ? [[`tenantIds.${index}`, 'Unknown tenant']] : []))
  if (unknown.length > 0) throw invalid(Object.fromEntries(unknown))
  return {
    ...(granted !== undefined && { scopes: [...new Set<GrantedScope>(granted)] }),
    ...(tenantIds !== undefined && { tenantIds: tenantIds && [...new Set(tenantIds)] }),
    ...(time !== undefined && { expiresAt: time }),
  }
}

type GrantingCall = AdminCall<'INSUFFICIENT_SCOPE'>

/**
 * An operator gives only what they have, to themselves too.
 * @throws INSUFFICIENT_SCOPE, which is recorded
 */
export function requireGrants(given: Grant, operation: string, call: GrantingCall, services: Services): void {
  const missing = lackingFor(call.operator, given)
  if (missing !== null) throw refuseGrant(missing, operation, call, services)
}

/** The refusal, which is recorded outside of any transaction that it rolls back. */
export function refuseGrant(
  missing: MissingGrant,
  operation: string,
  call: GrantingCall,
  { recordRefusedOperator }: Pick<Services, 'recordRefusedOperator'>,
): ServiceError {
  const refusal = call.refuse('INSUFFICIENT_SCOPE', { missing })
  recordRefusedOperator(call, operation, refusal)
  return refusal
}
