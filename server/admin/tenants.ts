import type { z } from 'zod'
import type * as operations from '../../contract/admin/tenants.ts'
import { timestamp } from '../../contract/envelope.ts'
import { foldedName } from '../core/folded-name.ts'
import type { Handler } from '../core/handler.ts'
import { answeredMeanwhile } from '../core/idempotency.ts'
import { ulid } from '../core/ids.ts'
import { pageOf } from '../core/pages.ts'
import type { Fact } from '../events/event.ts'
import { record } from '../events/record.ts'
import { aTenant } from '../events/subjects.ts'
import { emptyProfileSchema } from '../profiles/schema/define/define-profile-schema.ts'
import { type Storage, WriteConflict } from '../storage/storage.ts'
import type { CountedTenant, PageRequest, Tenant, TenantSearch } from '../tenants/tenant.ts'
import { defaultModules } from '../tenants/tenant-configuration.ts'
import { changesBetween } from './changes-between.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { writeCounts } from './statistics.ts'

/** `POST /admin/tenants`: with the default modules and the empty profile schema. */
export const createTenant: Handler<typeof operations.createTenant> = async (
  { body: { name, suspended = false, restrictedCapabilities = [] } },
  call,
  { storage, senderWatch },
) => {
  const { now, keep, operator } = call
  const tenant: Tenant = {
    id: ulid(now),
    name,
    suspended,
    restrictedCapabilities: [...new Set(restrictedCapabilities)],
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
  const initial = { ...emptyProfileSchema, migrations: [] }
  const schema = { ordinal: 1, schema: initial, publishedAt: now, publishedBy: operator.id }
  const answer = presentTenant(tenant)
  await storage.system.write(async (tx) => {
    if (!(await tx.tenants.add(tenant, defaultModules, schema, keep?.(answer, tenant.id)))) throw answeredMeanwhile()
    await record(tx, call, { type: 'tenant.created', subject: aTenant(tenant.id), changes: { name: { after: name } } })
  })
  await senderWatch(tenant.id)
  return answer
}

/** `GET /admin/tenants`: an operator bound to tenants sees only those. */
export const listTenants: Handler<typeof operations.listTenants> = async (
  { query },
  { refuse, operator: { tenantIds } },
  services,
) => {
  const { storage } = services
  const { q, order = 'oldest' } = query
  const name = q === undefined ? undefined : foldedName(q)
  // Every name begins with nothing.
  if (name === '') throw refuse('VALIDATION_ERROR', { validation: { q: 'Validation rule not met' } })
  await writeCounts(services)
  const search = { order, ...(q !== undefined && { name, ...beginningOfId(q) }) }
  const list = (page: PageRequest) =>
    tenantIds === null
      ? storage.system.tenants.search({ ...search, ...page })
      : searchNamed(tenantIds, { ...search, ...page }, storage)
  return pageOf(query, refuse, list, (tenant) => ({ ...presentTenant(tenant), users: usersOf(tenant) }))
}

/** Two changes that happen at once may be counted in another order. */
const usersOf = ({ users }: CountedTenant) => users && Math.max(0, users)

const beginningOfId = (q: string) =>
  /^[0-9A-HJKMNP-TV-Z]{1,26}$/i.test(q.trim()) ? { id: q.trim().toUpperCase() } : {}

/** At most 100 tenants are named, and each is read by its key. */
async function searchNamed(
  ids: readonly string[],
  { order, name, id: beginning, limit, cursor }: TenantSearch,
  storage: Storage,
): Promise<CountedTenant[]> {
  const inOrder = order === 'newest' ? ids.toSorted().reverse() : ids.toSorted()
  const after = inOrder.filter((id) => cursor === null || (order === 'newest' ? id < cursor : id > cursor))
  const read = async (id: string): Promise<CountedTenant | null> => {
    const stores = storage.forTenant(id)
    const [tenant, totals] = await Promise.all([stores.tenant.get(), stores.counts.totals()])
    return tenant && { ...tenant, users: totals?.users ?? null }
  }
  const fits = (tenant: Tenant) =>
    name === undefined ||
    foldedName(tenant.name).startsWith(name) ||
    (beginning !== undefined && tenant.id.startsWith(beginning))
  const found = (await Promise.all(after.map(read))).filter((tenant) => tenant !== null)
  return found.filter(fits).slice(0, limit)
}

/** `GET /admin/tenants/{t}`. */
export const getTenant: Handler<typeof operations.getTenant> = async ({ params }, { refuse }, { storage }) =>
  presentTenant((await getManagedTenant(storage, params.tenantId, refuse)).tenant)

/** `PATCH /admin/tenants/{t}`: changes only the given members. */
export const updateTenant: Handler<typeof operations.updateTenant> = async (
  { params, body: { name, suspended, restrictedCapabilities } },
  call,
  { storage },
) => {
  const { now, refuse } = call
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const changes = {
    ...(name !== undefined && { name }),
    ...(suspended !== undefined && { suspended }),
    ...(restrictedCapabilities !== undefined && { restrictedCapabilities: [...new Set(restrictedCapabilities)] }),
  }
  if (Object.keys(changes).length === 0) return presentTenant(tenant)
  return stores.write(async (tx) => {
    const before = await tx.tenant.get()
    const updated = await tx.tenant.update(changes, now)
    if (before === null || updated === null) throw refuse('TENANT_NOT_FOUND')
    if (updated.revision !== before.revision + 1) {
      throw new WriteConflict('The tenant changed between reading and updating it')
    }
    for (const fact of factsOf(before, updated)) await record(tx, call, fact)
    return presentTenant(updated)
  })
}

/** What an update changed. */
function factsOf(before: Tenant, after: Tenant): Fact[] {
  const changes = changesBetween(
    { name: before.name, restrictedCapabilities: before.restrictedCapabilities.toSorted() },
    { name: after.name, restrictedCapabilities: after.restrictedCapabilities.toSorted() },
  )
  const subject = aTenant(after.id)
  return [
    ...(changes === null ? [] : [{ type: 'tenant.updated' as const, subject, changes }]),
    ...(before.suspended === after.suspended
      ? []
      : [{ type: after.suspended ? ('tenant.suspended' as const) : ('tenant.restored' as const), subject }]),
  ]
}

/** `DELETE /admin/tenants/{t}`: its keys stop working immediately; its rows are erased in the background. */
export const deleteTenant: Handler<typeof operations.deleteTenant> = async ({ params }, call, { storage }) => {
  const { now, refuse } = call
  const { tenant } = await getManagedTenant(storage, params.tenantId, refuse)
  await storage.system.write(async (tx) => {
    if (!(await tx.tenants.markDeleted(tenant.id, now))) throw refuse('TENANT_NOT_FOUND')
    await tx.idempotency.forget(tenant.id)
    await record(tx, call, { type: 'tenant.deleted', subject: aTenant(tenant.id) })
  })
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
