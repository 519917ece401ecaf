import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePageSize } from '../parts/lists/page-size.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { type EventQuery, eventQuery, eventsQuery, type LogOf } from './activity-queries.ts'
import { EventDetail } from './event-detail.tsx'
import { EventFilters, type EventSearch } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import { LiveList, LiveSwitch } from './live-list.tsx'
import type { LogSearch } from './log-search.ts'
import { useLiveEvents } from './use-live-events.ts'

interface EventLogProps {
  readonly tenantId: LogOf
  readonly search: LogSearch
  readonly onSearch: (search: LogSearch, replace?: true) => void
}

/** A log with its filters; all of them, the page and the open event are in the URL. */
export function EventLog({ tenantId, search, onSearch }: EventLogProps) {
  const { event, cursor, live: liveness, ...filters } = search
  const isLive = liveness === 'on'
  const [limit] = usePageSize()
  const query = useQuery({
    ...eventsQuery(tenantId, { ...asQuery(filters), cursor, limit }),
    placeholderData: keepPreviousData,
  })
  const live = useLiveEvents({ isOn: isLive, tenantId, filters, cursor, query })
  const listed = live.rows?.find(({ id }) => id === event)
  // A link to an event is opened when newer ones have filled the page.
  const isElsewhere = event !== undefined && live.rows !== undefined && listed === undefined
  const elsewhere = useQuery({ ...eventQuery(tenantId, event ?? ''), enabled: isElsewhere })
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const goesOn = query.data?.nextCursor != null
  return (
    <LiveList live={live}>
      <EventList
        query={query}
        live={live}
        linkTo={(id) => ({ to: '.', search: (now: object) => ({ ...now, event: id }) })}
        cursor={cursor}
        // Only the first page gets new events.
        onCursor={(next) => onSearch({ ...filters, ...(next !== undefined && { cursor: next }) })}
        tools={
          <EventFilters
            search={filters}
            onChange={(next) => onSearch({ ...next, ...(isLive && { live: 'on' }) }, true)}
          >
            <LiveSwitch live={live} onChange={(isOn) => onSearch({ ...filters, ...(isOn && { live: 'on' }) }, true)} />
          </EventFilters>
        }
        search={{ what: 'event', by: filters }}
        empty={
          isFiltered ? (
            <Empty title={goesOn ? 'No event in this part of the log matches' : 'No event matches'} Icon={IconHistory}>
              {goesOn ? (
                'The server looks at 20,000 events at a time. Go on with Next.'
              ) : (
                <Button size="xs" variant="default" mt="xs" onClick={() => onSearch({})}>
                  Show all events
                </Button>
              )}
            </Empty>
          ) : (
            <Empty title="Nothing happened yet" Icon={IconHistory}>
              Sign-ins, changes and acts of operators appear here within a second.
            </Empty>
          )
        }
      />
      <EventDetail
        event={isElsewhere ? elsewhere.data : listed}
        {...(isElsewhere && elsewhere.isError && { error: elsewhere.error, retry: () => void elsewhere.refetch() })}
        onClose={() => onSearch(without(search))}
      />
    </LiveList>
  )
}

const without = ({ event: _, ...search }: LogSearch): LogSearch => search

const asQuery = ({ actorId, subjectId, ...same }: EventSearch): EventQuery =>
  ({
    ...same,
    ...(actorId !== undefined && { actor: actorId }),
    ...(subjectId !== undefined && { subject: subjectId }),
  }) as EventQuery
