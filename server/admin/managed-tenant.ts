import type { Refuse } from '../core/service-error.ts'
import type { Storage, TenantStorage } from '../storage/storage.ts'
import type { Tenant } from '../tenants/tenant.ts'

/** The tenant in the path of an admin operation, with its stores. */
interface ManagedTenant {
  readonly tenant: Tenant
  readonly stores: TenantStorage
}

/** The tenant of an admin path. Everything below a deleted tenant answers TENANT_NOT_FOUND too. */
export async function getManagedTenant(
  storage: Storage,
  tenantId: string,
  refuse: Refuse<'TENANT_NOT_FOUND'>,
): Promise<ManagedTenant> {
  const stores = storage.forTenant(tenantId)
  const tenant = await stores.tenant.get()
  if (tenant === null) throw refuse('TENANT_NOT_FOUND')
  return { tenant, stores }
}
