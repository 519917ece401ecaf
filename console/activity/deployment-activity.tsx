import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LogScreen } from './log-screen.tsx'
import { logSearch } from './log-search.ts'

/** What operators did at the deployment. */
export function Screen(): ReactNode {
  const navigate = useNavigate({ from: '/activity' })
  return (
    <LogScreen
      tenantId={null}
      about="Acts on operators, signing keys and whole tenants. What happens at a tenant is in the activity of the tenant."
      search={useSearch({ from: '/signed-in/activity', select: logSearch })}
      visit={(options) => navigate(options)}
    />
  )
}
