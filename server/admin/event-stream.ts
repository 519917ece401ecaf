import type * as operations from '../../contract/admin-events.ts'
import { isGranted } from '../../contract/scopes.ts'
import type { AdminCall, Handler } from '../core/handler.ts'
import { followLog, startOf } from '../events/log/follow-log.ts'
import { isActive } from '../operators/operator.ts'
import { rootOperator } from '../operators/root-operator.ts'
import type { Services } from '../services.ts'
import { getManagedTenant } from './managed-tenant.ts'

/** `GET /admin/tenants/{t}/events/stream` (EVENTS-7). */
export const streamEvents: Handler<typeof operations.streamEvents> = async (
  { params: { tenantId }, query: { lastEventId } },
  { operator, refuse },
  services,
) => {
  const { eventLog } = (await getManagedTenant(services.storage, tenantId, refuse)).stores
  const mayRead = await readRight(operator, tenantId, services)
  const after = await startOf(eventLog, lastEventId)
  return (ends) => followLog(eventLog, tenantId, { after, watch: watchOf(services), mayRead, ends })
}

/** `GET /admin/events/stream`: the log of the deployment. */
export const streamDeploymentEvents: Handler<typeof operations.streamDeploymentEvents> = async (
  { query: { lastEventId } },
  { operator },
  services,
) => {
  const { eventLog } = services.storage.system
  const mayRead = await readRight(operator, null, services)
  const after = await startOf(eventLog, lastEventId)
  return (ends) => followLog(eventLog, null, { after, watch: watchOf(services), mayRead, ends })
}

const watchOf =
  ({ events }: Services) =>
  (listener: () => void) =>
    events.watch(listener)

/** Ends with a revoked, expired or rotated key, and with a changed grant: the client must present its key again. */
async function readRight(
  { id }: AdminCall['operator'],
  tenantId: string | null,
  { storage: { system }, clock }: Services,
): Promise<() => Promise<boolean>> {
  if (id === rootOperator.id) return async () => true
  const atStart = await system.operators.find(id)
  return async () => {
    const now = await system.operators.find(id)
    if (now === null || !isActive(now, clock.now()) || now.secretHash !== atStart?.secretHash) return false
    const { scopes, tenantIds } = now
    const reaches = tenantIds === null || (tenantId !== null && tenantIds.includes(tenantId))
    return reaches && isGranted(scopes, 'events:read')
  }
}
