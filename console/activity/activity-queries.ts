import { queryOptions } from '@tanstack/react-query'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { admin, patientAdmin } from '../session/admin.ts'
import { eventTime } from './event-time.ts'
import { readNames } from './read-names.ts'

/** A log: that of a tenant, or of the deployment (null). */
export type LogOf = string | null

export type EventQuery = NonNullable<AdminInputOf<'listEvents'>>
export type Verification = AdminOutputOf<'verifyEvents'>
export type Checkpoint = AdminOutputOf<'listCheckpoints'>['items'][number]

export const eventsQuery = (tenantId: LogOf, query: EventQuery) =>
  queryOptions({
    queryKey: ['listEvents', { tenantId }, query],
    queryFn: async ({ signal, client }) => {
      const page = await readEvents(tenantId, query, signal)
      await readNames(client, page.items)
      return page
    },
    // An operator looks here for what they did a moment ago.
    staleTime: 0,
  })

/** One event, wherever it is in the log; null when the log does not have it. */
export const eventQuery = (tenantId: LogOf, id: string) =>
  queryOptions({
    queryKey: ['listEvents', { tenantId }, { id }],
    queryFn: async ({ signal, client }) => {
      const at = eventTime(id)
      if (Number.isNaN(at)) return null
      const [since, until] = [at, at + 1].map((time) => new Date(time).toISOString())
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { items, nextCursor } = await readEvents(tenantId, { since, until, cursor }, signal)
        const event = items.find((one) => one.id === id)
        if (event !== undefined) {
          await readNames(client, [event])
          return event
        }
        cursor = nextCursor
      }
      return null
    },
  })

export const readEvents = (tenantId: LogOf, query: EventQuery, signal?: AbortSignal) =>
  tenantId === null ? admin.listDeploymentEvents(query, { signal }) : admin.listEvents({ tenantId }, query, { signal })

export const checkpointsQuery = (tenantId: LogOf, query: AdminInputOf<'listCheckpoints'>) =>
  queryOptions({
    queryKey: ['listCheckpoints', { tenantId }, query],
    queryFn: ({ signal }) => readCheckpoints(tenantId, query, signal),
  })

export const readCheckpoints = (tenantId: LogOf, query: AdminInputOf<'listCheckpoints'>, signal: AbortSignal) =>
  tenantId === null
    ? admin.listDeploymentCheckpoints(query, { signal })
    : admin.listCheckpoints({ tenantId }, query, { signal })

/** Computes every hash of the log again. */
export const verify = (tenantId: LogOf): Promise<Verification> =>
  tenantId === null ? patientAdmin.verifyDeploymentEvents({}) : patientAdmin.verifyEvents({ tenantId }, {})

const pathOf = (tenantId: LogOf): string =>
  tenantId === null ? '/admin/events' : `/admin/tenants/${encodeURIComponent(tenantId)}/events`

/** Where the log is exported. A link to it sends the cookie of the session. */
export const exportPath = (tenantId: LogOf): string => `${pathOf(tenantId)}/export`

/** The stream of events as they are sealed. */
export const streamPath = (tenantId: LogOf): string => `${pathOf(tenantId)}/stream`
