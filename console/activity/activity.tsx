import { Anchor, Group, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Empty } from '../parts/pages/empty.tsx'
import { useCan } from '../session/session.tsx'
import { eventsQuery } from './activity-queries.ts'
import { EventList } from './event-list.tsx'
import { LiveList, LiveSwitch } from './live-list.tsx'
import { PageUser } from './party.tsx'
import { useLiveEvents } from './use-live-events.ts'

interface ActivityProps {
  readonly tenantId: string
  readonly userId: string
}

/** The latest events about a user. Nothing for an operator who may not read events. */
export function Activity({ tenantId, userId }: ActivityProps) {
  const mayRead = useCan()('events:read', tenantId)
  const query = useQuery({ ...eventsQuery(tenantId, { subject: userId, limit: 10 }), enabled: mayRead })
  const [isLive, setLive] = useState(false)
  const live = useLiveEvents({ isOn: isLive, tenantId, filters: { subjectId: userId }, query })
  if (!mayRead) return null
  const log = { to: '/tenants/$tenantId/activity', params: { tenantId } } as const
  return (
    <section aria-labelledby="activity">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="activity">
          Activity
        </Title>
        <Group gap="lg">
          <LiveSwitch live={live} onChange={setLive} />
          <Anchor size="sm" renderRoot={(props) => <Link {...props} {...log} search={{ subjectId: userId }} />}>
            All activity
          </Anchor>
        </Group>
      </Group>
      <PageUser value={userId}>
        <LiveList live={live}>
          <EventList
            query={query}
            live={live}
            linkTo={(id) => ({ ...log, search: { subjectId: userId, event: id } })}
            empty={
              <Empty title="Nothing happened yet" Icon={IconHistory}>
                Sign-ins and changes of the account appear here.
              </Empty>
            }
          />
        </LiveList>
      </PageUser>
    </section>
  )
}
