import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tenantStatisticsQuery } from '../overview/overview-queries.ts'
import { Charts, guestsNote, sentNote, sumOf } from '../overview/statistics.tsx'
import { Id } from '../parts/id.tsx'
import { Figure, Figures } from '../parts/pages/figures.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useCan } from '../session/session.tsx'
import { TenantActions } from './tenant-actions.tsx'
import { TenantFacts } from './tenant-facts.tsx'
import { TenantState } from './tenant-state.tsx'
import { tenantQuery } from './tenants-queries.ts'

/** A tenant: its figures, how its users sign in, and what can be done with it as a whole. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId' })
  const query = useQuery(tenantQuery(tenantId))
  const can = useCan()
  const tenant = query.data
  const statistics = useQuery(tenantStatisticsQuery(tenantId))
  const days = statistics.data?.days
  const isUnknown = statistics.isError && statistics.data === undefined
  // null: not counted yet.
  const totals = statistics.data?.totals
  const ofTotals = (name: 'users' | 'openSessions' | 'suspended') => (totals === null ? null : totals?.[name])
  return (
    <Page
      title={tenant?.name ?? 'Tenant'}
      isName
      isOfTenant
      about={<Id value={tenantId} what="id of the tenant" />}
      state={tenant && <TenantState {...tenant} />}
      actions={
        can('tenants:write', tenantId) &&
        // A phone shows it in a line, which would push everything down when it comes.
        (tenant ? <TenantActions tenant={tenant} /> : !query.isError && <Skeleton height={36} width={108} />)
      }
    >
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {statistics.isError && !query.isError && (
        <Problem error={statistics.error} retry={() => void statistics.refetch()} />
      )}
      {!isUnknown && (
        <Figures>
          <Figure name="Users" value={ofTotals('users')} note={totals && guestsNote(totals.guests)} />
          <Figure name="Open sessions" value={ofTotals('openSessions')} />
          <Figure name="Suspended users" value={ofTotals('suspended')} />
          <Figure name="Sign-ups" value={sumOf(days, 'signUps')} note="in 30 days" />
          <Figure name="Failed messages" value={sumOf(days, 'messagesFailed')} note={days && sentNote(days)} />
        </Figures>
      )}
      <TenantFacts tenantId={tenantId} tenant={tenant} />
      {!isUnknown && <Charts days={days} />}
    </Page>
  )
}
