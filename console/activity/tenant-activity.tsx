import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LogScreen } from './log-screen.tsx'
import { logSearch } from './log-search.ts'

const from = '/signed-in/tenants/$tenantId/activity'

/** What users and operators did at a tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from })
  const navigate = useNavigate({ from: '/tenants/$tenantId/activity' })
  return (
    <LogScreen
      tenantId={tenantId}
      about="Who did what, and when. Events are sealed, usually within a second; Verify finds later changes."
      search={useSearch({ from, select: logSearch })}
      visit={(options) => navigate(options)}
    />
  )
}
