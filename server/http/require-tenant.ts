import { ServiceError } from '../core/service-error.ts'
import { matchesSecret } from '../secrets/issued-key.ts'
import type { CallerRecord } from '../storage/storage.ts'
import type { ParsedTenantKey } from '../tenants/tenant-key.ts'

/** Whether the key sent is the stored one, active, and its tenant not deleted. */
export function isUsableKey(record: CallerRecord, sent: ParsedTenantKey | null, now: number): boolean {
  const { key, deletedAt } = record
  if (sent === null || deletedAt !== null || key.revokedAt !== null) return false
  if (key.expiresAt !== null && now >= key.expiresAt) return false
  return key.kind === sent.kind && matchesSecret(sent.secret, key.secretHash)
}

/**
 * Unknown, malformed, expired, revoked and repeated keys get the same code, so that it reveals nothing about keys.
 * @throws MISSING_TENANT_KEY, INVALID_TENANT_KEY, TENANT_SUSPENDED
 */
export function requireTenant(
  record: CallerRecord | null,
  key: { readonly sent: boolean; readonly parsed: ParsedTenantKey | null },
  now: number,
): asserts record is CallerRecord {
  if (!key.sent) throw new ServiceError('MISSING_TENANT_KEY')
  if (record === null || !isUsableKey(record, key.parsed, now)) throw new ServiceError('INVALID_TENANT_KEY')
  if (record.tenant.suspended) throw new ServiceError('TENANT_SUSPENDED')
}
