import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import type { ListPage } from '../parts/lists/list-page.ts'
import { arrivalsReducer, kept, noArrivals } from '../parts/stream/arrivals.ts'
import type { Connection } from '../parts/stream/follow-stream.ts'
import { useStream } from '../parts/stream/use-stream.ts'
import { type LogOf, readEvents, streamPath } from './activity-queries.ts'
import type { EventSearch } from './event-filters.tsx'
import { matchesFilters } from './matches-filters.ts'
import type { RecordedEvent } from './recorded-event.ts'
import { withArrivals } from './with-arrivals.ts'

export interface LiveEvents {
  readonly isOn: boolean
  /** Newest first; undefined until the list is read. */
  readonly rows: readonly RecordedEvent[] | undefined
  /** Ids of the rows that arrived since it is live. */
  readonly arrived: ReadonlySet<string>
  /** How many events are held back. */
  readonly held: number
  /** Holds events back, or shows them. */
  readonly pause: (isPaused: boolean) => void
  readonly connection: Connection
  readonly reconnect: () => void
}

interface LiveEventsOptions {
  readonly isOn: boolean
  readonly tenantId: LogOf
  readonly filters: EventSearch
  readonly cursor?: string | undefined
  readonly query: UseQueryResult<ListPage<RecordedEvent>>
}

/**
 * Adds to a list of events those that are sealed from now on. The stream begins after the latest event of the log, and the
 * list is read once more when it is open, so that no event is missing between the two. What arrived stays in the list when
 * it is no longer live.
 */
export function useLiveEvents({ isOn, tenantId, filters, cursor, query }: LiveEventsOptions): LiveEvents {
  const queries = useQueryClient()
  const [arrivals, dispatch] = useReducer(arrivalsReducer<RecordedEvent>, noArrivals)
  const listed = query.data?.items
  const { connection, reconnect } = useStream<RecordedEvent>({
    key: isOn ? (tenantId ?? 'deployment') : null,
    event: 'event',
    idOf: ({ sequence }) => `${sequence}`,
    none: '0',
    list: async (signal) => (await readEvents(tenantId, { limit: '1' }, signal)).items,
    urlOf: (lastEventId) => `${streamPath(tenantId)}?lastEventId=${lastEventId}`,
    onItems(events) {
      const known = new Set(listed?.map(({ id }) => id))
      dispatch({
        type: 'arrived',
        items: events.filter((event) => !known.has(event.id) && matchesFilters(event, filters)),
      })
    },
  })
  const shown = JSON.stringify([tenantId, filters, cursor])
  const isLive = isOn && connection === 'live'
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters have other events
  useEffect(() => {
    if (isLive) void queries.invalidateQueries({ queryKey: ['listEvents', { tenantId }] })
  }, [isLive, shown])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what arrived for other filters does not belong to these
  useEffect(() => () => dispatch({ type: 'reset' }), [shown])
  useEffect(() => {
    if (isOn) return () => dispatch({ type: 'resumed' })
  }, [isOn])
  const isFull = arrivals.items.length === kept
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is full, and after each reading of the list
  useEffect(() => {
    if (!isFull || listed === undefined) return
    const latest = Math.max(0, ...listed.map(({ sequence }) => sequence))
    const isNewer = ({ sequence }: RecordedEvent) => sequence > latest
    // Forgotten arrivals leave a gap above the list: read it again, then drop the arrivals that it covers.
    if (arrivals.items.every(isNewer)) void queries.invalidateQueries({ queryKey: ['listEvents', { tenantId }] })
    else dispatch({ type: 'removed', stays: isNewer })
  }, [isFull, listed])
  return {
    isOn,
    rows: listed && withArrivals(listed, arrivals),
    arrived: new Set(arrivals.items.map(({ id }) => id)),
    held: arrivals.held.length,
    pause: (isPaused) => dispatch({ type: isPaused ? 'paused' : 'resumed' }),
    connection,
    reconnect,
  }
}
