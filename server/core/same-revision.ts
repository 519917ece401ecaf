import type { Tenant } from '../tenants/tenant.ts'

/** What a process remembers a tenant's state by. */
export type TenantRevision = Pick<Tenant, 'revision' | 'updatedAt'>

/**
 * Whether a tenant is as it was. The time is compared too: a failover to a standby that lags loses changes, and others get
 * their revisions.
 */
export const isSameRevision = (before: TenantRevision | undefined, now: TenantRevision): boolean =>
  before?.revision === now.revision && before.updatedAt === now.updatedAt
