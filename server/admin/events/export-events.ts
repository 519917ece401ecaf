import type * as operations from '../../../contract/admin/events.ts'
import type { Handler } from '../../core/handler.ts'
import type { Fact } from '../../events/event.ts'
import { exportLines } from '../../events/log/export-lines.ts'
import { record } from '../../events/record.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { timesOf } from './events.ts'

type Range = Parameters<typeof timesOf>[0]

/** `GET /admin/tenants/{t}/events/export`: as fast as the client reads (EVENTS-6). Recorded before its first line. */
export const exportEvents: Handler<typeof operations.exportEvents> = async (
  { params: { tenantId }, query },
  call,
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, tenantId, call.refuse)
  await stores.write((tx) => record(tx, call, exported(tenantId, query)))
  return exportLines(stores.eventLog, tenantId, timesOf(query))
}

/** `GET /admin/events/export`: the log of the deployment. */
export const exportDeploymentEvents: Handler<typeof operations.exportDeploymentEvents> = async (
  { query },
  call,
  { storage: { system } },
) => {
  await system.write((tx) => record(tx, call, exported(null, query)))
  return exportLines(system.eventLog, null, timesOf(query))
}

const exported = (id: string | null, { since, until }: Range): Fact => ({
  type: 'events.exported',
  subject: { kind: 'tenant', id },
  details: { ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
})
