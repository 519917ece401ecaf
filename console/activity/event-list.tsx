import { Stack, Text, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Search } from '../parts/lists/found.tsx'
import { type Column, List } from '../parts/lists/list.tsx'
import type { ListPage } from '../parts/lists/list-page.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'
import type { RecordedEvent } from './recorded-event.ts'
import { Sentence } from './sentence.tsx'
import type { LiveEvents } from './use-live-events.ts'

interface EventListProps {
  readonly query: UseQueryResult<ListPage<RecordedEvent>>
  readonly live: LiveEvents
  readonly empty: ReactNode
  /** Where the details of an event are. */
  readonly linkTo: (id: string) => Pick<LinkProps, 'to' | 'params' | 'search'>
  readonly tools?: ReactNode
  readonly search?: Search
  readonly cursor?: string | undefined
  readonly onCursor?: (cursor: string | undefined) => void
}

/** Events, newest first. The time of each is the link to its details. */
export function EventList({ query, live, empty, linkTo, tools, search, cursor, onCursor }: EventListProps) {
  const when: Column<RecordedEvent> = {
    header: 'When',
    // A phone needs the room for what happened.
    width: { base: 104, xs: 150 },
    cell: ({ id, at }) => (
      <Link className="row-link" resetScroll={false} {...linkTo(id)}>
        <Time at={at} />
        <VisuallyHidden>: details</VisuallyHidden>
      </Link>
    ),
  }
  return (
    <List
      label="Events, newest first"
      columns={[when, ...columns]}
      query={query}
      rows={live.rows}
      isNew={({ id }) => live.arrived.has(id)}
      keyOf={({ id }) => id}
      cursor={cursor}
      {...(onCursor && { onCursor })}
      tools={tools}
      {...(search && { search })}
      empty={empty}
    />
  )
}

const columns: readonly Column<RecordedEvent>[] = [
  {
    header: 'What happened',
    cell: (event) => (
      <Stack gap={2}>
        <Sentence event={event} />
        <Text span size="xs" c="dimmed">
          {[event.code, event.where.network, event.where.userAgent].filter((known) => known != null).join(' · ')}
        </Text>
      </Stack>
    ),
  },
  { header: 'Outcome', width: 110, visibleFrom: 'sm', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
]

export const Outcome = ({ outcome }: Pick<RecordedEvent, 'outcome'>) =>
  outcome === 'done' ? <State tone="quiet">Done</State> : <State tone="bad">Refused</State>
