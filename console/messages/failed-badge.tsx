import { useQuery } from '@tanstack/react-query'
import { State } from '../parts/state.tsx'
import { messageStatisticsQuery } from './messages-queries.ts'

/** Beside “Messages” in the navigation: how many messages failed today. */
export function FailedBadge({ tenantId }: { readonly tenantId: string }) {
  const failed = useQuery(messageStatisticsQuery(tenantId)).data?.failed24h ?? 0
  return failed > 0 && <State tone="bad">{failed > 999 ? '999+' : failed} failed</State>
}
