import { Anchor } from '@mantine/core'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from '../parts/pages/empty.tsx'
import { Figure, Figures } from '../parts/pages/figures.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useCan } from '../session/session.tsx'
import { NewTenant } from '../tenants/new-tenant.tsx'
import { Deployment, Warnings } from './deployment.tsx'
import { statisticsQuery } from './overview-queries.ts'
import { Charts, guestsNote, sentNote, sumOf } from './statistics.tsx'

/** The whole deployment, or the tenants that the operator is bound to. */
export function Screen(): ReactNode {
  const can = useCan()
  const query = useQuery({ ...statisticsQuery, enabled: can('tenants:read') })
  const { totals, days } = query.data ?? {}
  const isUnknown = query.isError && query.data === undefined
  return (
    <Page
      title="Overview"
      about={
        can('tenants:read') &&
        (can('tenants:read', null) ? 'All tenants, in the last 30 days.' : 'Your tenants, in the last 30 days.')
      }
      // Stays while its dialog shows a key, also when the first tenant is counted.
      actions={can('tenants:write', null) && <NewTenant />}
    >
      <Warnings />
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {totals?.tenants === 0 ? (
        <div className="panel" style={{ marginBottom: 16 }}>
          <Empty title="Create the first tenant" Icon={IconBuildingCommunity}>
            Each tenant has its own users, profile schema, keys and messages. Applications call with its first key.
          </Empty>
        </div>
      ) : (
        can('tenants:read') &&
        !isUnknown && (
          <>
            <Figures>
              <Figure
                name="Tenants"
                value={totals?.tenants}
                note={
                  <Anchor component={Link} to="/tenants" size="xs">
                    All tenants
                  </Anchor>
                }
              />
              <Figure name="Users" value={totals?.users} note={totals && guestsNote(totals.guests)} />
              <Figure name="Open sessions" value={totals?.openSessions} />
              <Figure name="Sign-ups" value={sumOf(days, 'signUps')} note="in 30 days" />
              <Figure name="Failed messages" value={sumOf(days, 'messagesFailed')} note={days && sentNote(days)} />
            </Figures>
            <Charts days={days} />
          </>
        )
      )}
      <Deployment />
    </Page>
  )
}
