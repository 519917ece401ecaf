import { queryOptions } from '@tanstack/react-query'
import { admin } from '../session/admin.ts'

/** Days begin where the operator is. */
const query = () => ({ days: 30, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone })

export const statisticsQuery = queryOptions({
  queryKey: ['getStatistics'],
  queryFn: ({ signal }) => admin.getStatistics(query(), { signal }),
  refetchInterval: 60_000,
})

export const tenantStatisticsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['getTenantStatistics', { tenantId }],
    queryFn: ({ signal }) => admin.getTenantStatistics({ tenantId }, query(), { signal }),
    refetchInterval: 60_000,
  })
