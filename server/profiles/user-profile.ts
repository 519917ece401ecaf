import type {
  readUserProfile as readOperation,
  updateUserProfile as updateOperation,
} from '../../contract/admin/users.ts'
import type { Handler } from '../core/handler.ts'
import type { Refuse } from '../core/service-error.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshot, TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { presentRevision, readProfile } from './read-profile.ts'
import { saveProfile } from './save-profile.ts'

/** `GET /admin/tenants/{t}/users/{u}/profile`. */
export const readUserProfile: Handler<typeof readOperation> = async (
  { params: { tenantId, userId } },
  { refuse },
  { storage, snapshots },
) => {
  const snapshot = await snapshotOf(tenantId, storage, snapshots, refuse)
  const stores = storage.forTenant(tenantId)
  if ((await stores.users.find(userId)) === null) throw refuse('USER_NOT_FOUND')
  return readProfile(userId, snapshot, stores, 'operator')
}

/** `PATCH /admin/tenants/{t}/users/{u}/profile`: may write `writable: false` fields. */
export const updateUserProfile: Handler<typeof updateOperation> = async (
  { params: { tenantId, userId }, body, expectedRevision },
  call,
  { storage, snapshots, profileBytes },
) => {
  const { now, refuse } = call
  const snapshot = await snapshotOf(tenantId, storage, snapshots, refuse)
  const saved = await saveProfile(storage.forTenant(tenantId), userId, body, snapshot, {
    now,
    source: call,
    refuse,
    operator: true,
    expectedRevision,
    maxBytes: profileBytes,
  })
  if (saved === null) throw refuse('USER_NOT_FOUND')
  return presentRevision(saved.profile, saved.schema, 'operator')
}

async function snapshotOf(
  tenantId: string,
  storage: Storage,
  snapshots: TenantSnapshots,
  refuse: Refuse<'TENANT_NOT_FOUND'>,
): Promise<TenantSnapshot> {
  const tenant = await storage.forTenant(tenantId).tenant.get()
  if (tenant === null) throw refuse('TENANT_NOT_FOUND')
  return snapshots.of(tenant)
}
