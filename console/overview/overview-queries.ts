import { queryOptions } from '@tanstack/react-query'
import { admin } from '../session/admin.ts'

/** Days begin where the operator is; in UTC if the browser does not know, as with `TZ=UTC-3`. */
function query() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { days: 30, timezone: timeZone === 'Etc/Unknown' ? 'UTC' : timeZone }
}

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
