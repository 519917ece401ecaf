import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { EventLog } from './event-log.tsx'
import { LogTools } from './log-tools.tsx'

/** What users and operators did at a tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/activity' })
  const search = useSearch({ from: '/signed-in/tenants/$tenantId/activity' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/activity' })
  return (
    <Page
      title="Activity"
      about="Who did what, and when. The log is sealed within a second: a later change of it is found."
      actions={<LogTools tenantId={tenantId} />}
    >
      <EventLog
        tenantId={tenantId}
        search={search}
        onSearch={(next, replace) => void navigate({ search: next, resetScroll: false, ...(replace && { replace }) })}
      />
    </Page>
  )
}
