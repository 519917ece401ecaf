import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { EventLog } from './event-log.tsx'
import { LogTools } from './log-tools.tsx'

/** What operators did at the deployment. */
export function Screen(): ReactNode {
  const search = useSearch({ from: '/signed-in/activity' })
  const navigate = useNavigate({ from: '/activity' })
  return (
    <Page
      title="Activity"
      about="Acts on operators, signing keys and whole tenants. What happens at a tenant is in the activity of the tenant."
      actions={<LogTools tenantId={null} />}
    >
      <EventLog
        tenantId={null}
        search={search}
        onSearch={(next, replace) => void navigate({ search: next, resetScroll: false, ...(replace && { replace }) })}
      />
    </Page>
  )
}
