import type * as operations from '../../contract/admin-events.ts'
import type { Handler } from '../core/handler.ts'
import { followLog, startOf } from '../events/log/follow-log.ts'
import { getManagedTenant } from './managed-tenant.ts'

/** `GET /admin/tenants/{t}/events/stream` (EVENTS-7). */
export const streamEvents: Handler<typeof operations.streamEvents> = async (
  { params: { tenantId }, query: { lastEventId } },
  { refuse },
  { storage, events },
) => {
  const { eventLog } = (await getManagedTenant(storage, tenantId, refuse)).stores
  const after = await startOf(eventLog, lastEventId)
  return (ends) => followLog(eventLog, tenantId, { after, watch: (ring) => events.watch(ring), ends })
}

/** `GET /admin/events/stream`: the log of the deployment. */
export const streamDeploymentEvents: Handler<typeof operations.streamDeploymentEvents> = async (
  { query: { lastEventId } },
  _call,
  { storage, events },
) => {
  const { eventLog } = storage.system
  const after = await startOf(eventLog, lastEventId)
  return (ends) => followLog(eventLog, null, { after, watch: (ring) => events.watch(ring), ends })
}
