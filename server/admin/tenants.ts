import type { z } from 'zod'
import type * as operations from '../../contract/admin-tenants.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { Handler } from '../core/handler.ts'
import { answeredMeanwhile } from '../core/idempotency.ts'
import { ulid } from '../core/ids.ts'
import { emptyProfileSchema } from '../profiles/schema/define-profile-schema.ts'
import type { Tenant } from '../tenants/tenant.ts'
import { defaultModules } from '../tenants/tenant-configuration.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { pageOf } from './pages.ts'
import { publishedBy } from './schema-publication.ts'

/** `POST /admin/tenants`: with the default modules and the empty profile schema. */
export const createTenant: Handler<typeof operations.createTenant> = async (
  { body: { name, suspended = false, restrictedCapabilities = [] } },
  { now, keep },
  { storage, senderWatch },
) => {
  const tenant: Tenant = {
    id: ulid(now),
    name,
    suspended,
    restrictedCapabilities: [...new Set(restrictedCapabilities)],
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
  const schema = { ordinal: 1, schema: { ...emptyProfileSchema, migrations: [] }, publishedAt: now, publishedBy }
  const answer = presentTenant(tenant)
  if (!(await storage.system.tenants.add(tenant, defaultModules, schema, keep?.(answer, tenant.id))))
    throw answeredMeanwhile()
  await senderWatch(tenant.id)
  return answer
}

/** `GET /admin/tenants`. */
export const listTenants: Handler<typeof operations.listTenants> = ({ query }, { refuse }, { storage }) =>
  pageOf(query, refuse, (request) => storage.system.tenants.list(request), presentTenant)

/** `GET /admin/tenants/{t}`. */
export const getTenant: Handler<typeof operations.getTenant> = async ({ params }, { refuse }, { storage }) =>
  presentTenant((await getManagedTenant(storage, params.tenantId, refuse)).tenant)

/** `PATCH /admin/tenants/{t}`: changes only the given members. */
export const updateTenant: Handler<typeof operations.updateTenant> = async (
  { params, body: { name, suspended, restrictedCapabilities } },
  { now, refuse },
  { storage },
) => {
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const changes = {
    ...(name !== undefined && { name }),
    ...(suspended !== undefined && { suspended }),
    ...(restrictedCapabilities !== undefined && { restrictedCapabilities: [...new Set(restrictedCapabilities)] }),
  }
  if (Object.keys(changes).length === 0) return presentTenant(tenant)
  const updated = await stores.tenant.update(changes, now)
  if (updated === null) throw refuse('TENANT_NOT_FOUND')
  return presentTenant(updated)
}

/** `DELETE /admin/tenants/{t}`: its keys stop working immediately; its rows are erased in the background. */
export const deleteTenant: Handler<typeof operations.deleteTenant> = async (
  { params },
  { now, refuse },
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, params.tenantId, refuse)
  if (!(await stores.tenant.markDeleted(now))) throw refuse('TENANT_NOT_FOUND')
  return undefined
}

const presentTenant = (tenant: Tenant): z.input<typeof operations.Tenant> => ({
  id: tenant.id,
  name: tenant.name,
  suspended: tenant.suspended,
  restrictedCapabilities: [...tenant.restrictedCapabilities],
  createdAt: timestamp(tenant.createdAt),
  updatedAt: timestamp(tenant.updatedAt),
})
