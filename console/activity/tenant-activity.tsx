import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LogScreen } from './log-screen.tsx'

const from = '/signed-in/tenants/$tenantId/activity'

/** What users and operators did at a tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from })
  const navigate = useNavigate({ from: '/tenants/$tenantId/activity' })
  return (
    <LogScreen
      tenantId={tenantId}
      about="Who did what, and when. The log is sealed within a second: a later change of it is found."
      search={useSearch({ from })}
      visit={(options) => navigate(options)}
    />
  )
}
