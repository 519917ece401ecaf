import { ServiceError } from '../core/service-error.ts'
import type { Gate } from '../storage/storage.ts'
import { matchesSecret, type ParsedTenantKey } from './tenant-key.ts'

/** Whether the key sent is the stored one, active, and of a tenant that still exists. */
export function isUsableKey(gate: Gate, sent: ParsedTenantKey | null, now: number): boolean {
  const { key, deletedAt } = gate
  if (sent === null || deletedAt !== null || key.revokedAt !== null) return false
  if (key.expiresAt !== null && now >= key.expiresAt) return false
  return key.kind === sent.kind && matchesSecret(sent.secret, key.secretHash)
}

/**
 * Gate 3 of design 2. Unknown, malformed, expired, revoked and sent twice are one code, so that nothing is told of keys.
 * @throws MISSING_TENANT_KEY, INVALID_TENANT_KEY, TENANT_SUSPENDED
 */
export function requireTenant(
  gate: Gate | null,
  key: { readonly sent: boolean; readonly parsed: ParsedTenantKey | null },
  now: number,
): asserts gate is Gate {
  if (!key.sent) throw new ServiceError('MISSING_TENANT_KEY')
  if (gate === null || !isUsableKey(gate, key.parsed, now)) throw new ServiceError('INVALID_TENANT_KEY')
  if (gate.tenant.suspended) throw new ServiceError('TENANT_SUSPENDED')
}
