import type { MissingGrant } from '../../contract/scope-names.ts'
import { isGranted } from '../../contract/scopes.ts'
import type { Grant } from './operator.ts'

/**
 * What an operator lacks to give a grant to another one, or to hold the key of an operator who has it; null when nothing.
 * Time counts too: an operator who expires cannot create one who stays.
 */
export function lackingFor(own: Grant, given: Grant): MissingGrant | null {
  const scope = given.scopes.find((each) => !isGranted(own.scopes, each))
  if (scope !== undefined) return scope
  if (!includesTenants(own.tenantIds, given.tenantIds)) return 'all tenants'
  const isLater = own.expiresAt !== null && (given.expiresAt === null || given.expiresAt > own.expiresAt)
  return isLater ? 'later expiry' : null
}

function includesTenants(own: Grant['tenantIds'], given: Grant['tenantIds']): boolean {
  if (own === null) return true
  return given?.every((id) => own.includes(id)) ?? false
}
