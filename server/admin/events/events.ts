import type { z } from 'zod'
import type * as operations from '../../../contract/admin/events.ts'
import type { Handler } from '../../core/handler.ts'
import { isUlid } from '../../core/ids.ts'
import { pageAfter, pageFrom } from '../../core/pages.ts'
import type { Refuse } from '../../core/service-error.ts'
import type { EventLogStore } from '../../events/log/event-log.ts'
import { presentCheckpoint } from '../../events/log/present-batch.ts'
import { presentEvent } from '../../events/log/present-event.ts'
import type { StoredBatch } from '../../events/sealed-log.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/events`: newest first (EVENTS-2). */
export const listEvents: Handler<typeof operations.listEvents> = async (
  { params: { tenantId }, query },
  { refuse },
  { storage },
) => listed((await getManagedTenant(storage, tenantId, refuse)).stores.eventLog, tenantId, query, refuse)

/** `GET /admin/events`: the log of the deployment. */
export const listDeploymentEvents: Handler<typeof operations.listDeploymentEvents> = (
  { query },
  { refuse },
  { storage },
) => listed(storage.system.eventLog, null, query, refuse)

/** `GET /admin/tenants/{t}/events/checkpoints`: newest first. */
export const listCheckpoints: Handler<typeof operations.listCheckpoints> = async (
  { params: { tenantId }, query },
  { refuse },
  { storage },
) => listedCheckpoints((await getManagedTenant(storage, tenantId, refuse)).stores.eventLog, tenantId, query, refuse)

/** `GET /admin/events/checkpoints`: those of the log of the deployment. */
export const listDeploymentCheckpoints: Handler<typeof operations.listDeploymentCheckpoints> = (
  { query },
  { refuse },
  { storage },
) => listedCheckpoints(storage.system.eventLog, null, query, refuse)

function listed(
  log: EventLogStore,
  tenantId: string | null,
  query: z.output<typeof operations.listEvents.query>,
  refuse: Refuse<'VALIDATION_ERROR'>,
) {
  const { type, actor, subject, outcome, requestId, since, until } = query
  const filter = { type, actorId: actor, subjectId: subject, outcome, requestId, ...timesOf({ since, until }) }
  const list = ({ limit, after }: { readonly limit: number; readonly after: string | null }) =>
    log.list(filter, { limit, before: after })
  return pageFrom(query, refuse, readId, list, (event) => presentEvent(event, tenantId))
}

const readId = (text: string): string | null => (isUlid(text) ? text : null)

function listedCheckpoints(
  log: EventLogStore,
  tenantId: string | null,
  query: z.output<typeof operations.listCheckpoints.query>,
  refuse: Refuse<'VALIDATION_ERROR'>,
) {
  const cursors = {
    write: ({ batch }: StoredBatch) => String(batch),
    read: (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null),
  }
  return pageAfter(
    query,
    refuse,
    cursors,
    ({ limit, after }) => log.batchesBefore(after, limit),
    (batch) => presentCheckpoint(batch, tenantId),
  )
}

/** Times of a query in epoch milliseconds. */
export const timesOf = ({
  since,
  until,
}: {
  readonly since?: string | undefined
  readonly until?: string | undefined
}) => ({
  since: since === undefined ? undefined : Date.parse(since),
  until: until === undefined ? undefined : Date.parse(until),
})
