import { State } from '../parts/state.tsx'

interface TenantStateProps {
  readonly suspended: boolean
  readonly restrictedCapabilities: readonly string[]
}

/** The state of a tenant in a word. */
export function TenantState({ suspended, restrictedCapabilities }: TenantStateProps) {
  if (suspended) return <State tone="bad">Suspended</State>
  if (restrictedCapabilities.length > 0) return <State tone="warn">Restricted</State>
  return <State tone="good">Active</State>
}
