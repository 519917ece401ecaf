import type * as operations from '../../../contract/admin/events.ts'
import type { Handler } from '../../core/handler.ts'
import { followLog, startOf } from '../../events/log/follow-log.ts'
import type { Services } from '../../services.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/events/stream` (EVENTS-7). */
export const streamEvents: Handler<typeof operations.streamEvents> = async (
  { params: { tenantId }, query: { lastEventId } },
  { lastingRight, refuse },
  services,
) => {
  const { eventLog, tenant } = (await getManagedTenant(services.storage, tenantId, refuse)).stores
  const mayAsk = await lastingRight()
  // Its events are erased some minutes after a tenant is deleted.
  const mayRead = async () => (await mayAsk()) && (await tenant.get()) !== null
  const after = await startOf(eventLog, lastEventId)
  const events = (ends: AbortSignal) =>
    followLog(eventLog, tenantId, { after, watch: watchOf(services), mayRead, ends })
  return { events, mayRead }
}

/** `GET /admin/events/stream`: the log of the deployment. */
export const streamDeploymentEvents: Handler<typeof operations.streamDeploymentEvents> = async (
  { query: { lastEventId } },
  { lastingRight },
  services,
) => {
  const { eventLog } = services.storage.system
  const mayRead = await lastingRight()
  const after = await startOf(eventLog, lastEventId)
  const events = (ends: AbortSignal) => followLog(eventLog, null, { after, watch: watchOf(services), mayRead, ends })
  return { events, mayRead }
}

const watchOf =
  ({ events }: Services) =>
  (listener: () => void) =>
    events.watch(listener)
