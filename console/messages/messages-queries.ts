import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AdminInputOf, ManagedMessage } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

export const messagesQuery = (tenantId: string, query: AdminInputOf<'listMessages'>) =>
  queryOptions({
    queryKey: ['listMessages', { tenantId }, query],
    queryFn: ({ signal }) => admin.listMessages({ tenantId }, query, { signal }),
    // Messages move by themselves.
    refetchInterval: 15_000,
  })

export const messageStatisticsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['getMessageStatistics', { tenantId }],
    queryFn: ({ signal }) => admin.getMessageStatistics({ tenantId }, { signal }),
    refetchInterval: 30_000,
  })

/** Queues a failed message again. */
export function useRetryMessage(tenantId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ManagedMessage) => admin.retryMessage({ tenantId, messageId: id }),
    // A refused message is shown as it is now, too.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['listMessages', { tenantId }] }),
        queries.invalidateQueries(messageStatisticsQuery(tenantId)),
      ]),
  })
}
