import type * as operations from '../../../contract/admin/verify-events.ts'
import { timestamp } from '../../../contract/envelope.ts'
import type { AdminCall } from '../../core/call.ts'
import { deployment } from '../../core/deployment.ts'
import type { Handler } from '../../core/handler.ts'
import { createQueue } from '../../core/one-at-a-time.ts'
import type { EventLogStore } from '../../events/log/event-log.ts'
import { verifyStoredLog } from '../../events/verify/stored-log.ts'
import { trustedKeys } from '../../events/verify/trusted-keys.ts'
import type { Services } from '../../services.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** Time between two log lines of a verification. */
const progressMs = 5_000
/** Each takes a slice of the event loop in turn, so several would delay other requests. */
const oneAtATime = createQueue()

/** `POST /admin/tenants/{t}/events/verify`. Ends when the client has gone, or the service stops. */
export const verifyEvents: Handler<typeof operations.verifyEvents> = async (
  { params: { tenantId }, body },
  call,
  services,
) => {
  const { stores } = await getManagedTenant(services.storage, tenantId, call.refuse)
  return verified({ log: stores.eventLog, tenantId, ...body }, call, services)
}

/** `POST /admin/events/verify`: the log of the deployment. */
export const verifyDeploymentEvents: Handler<typeof operations.verifyDeploymentEvents> = ({ body }, call, services) =>
  verified({ log: services.storage.system.eventLog, tenantId: deployment, ...body }, call, services)

interface Verified {
  readonly log: EventLogStore
  readonly tenantId: string
  readonly fromBatch: number
}

function verified(
  { log, tenantId, fromBatch }: Verified,
  { refuse, gone }: Pick<AdminCall<'SERVICE_UNAVAILABLE'>, 'refuse' | 'gone'>,
  { storage, keyring, logger, stopping }: Services,
) {
  const ends = AbortSignal.any([gone(), stopping])
  return oneAtATime(async () => {
    let next = performance.now() + progressMs
    function onSlice(events: number): void {
      if (ends.aborted) throw refuse('SERVICE_UNAVAILABLE')
      if (performance.now() < next) return
      logger.info({ tenantId, events }, 'verifying events')
      next = performance.now() + progressMs
    }
    onSlice(0)
    const keys = trustedKeys(await storage.system.checkpointKeys.list(), keyring)
    const result = await verifyStoredLog({ log, tenantId, fromBatch, publicKey: (kid) => keys.get(kid), onSlice })
    const [fault] = result.faults
    if (fault) logger.error({ tenantId, faults: result.faultCount, fault }, 'event log is not as it was sealed')
    const { head } = result
    return { ...result, faults: [...result.faults], head: head && { ...head, sealedAt: timestamp(head.sealedAt) } }
  })
}
