import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AdminInputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

/** A message with sample values, by the templates of the draft. */
export const previewQuery = (tenantId: string, body: AdminInputOf<'previewMessage'>) =>
  queryOptions({
    queryKey: ['previewMessage', { tenantId }, body],
    queryFn: ({ signal }) => admin.previewMessage({ tenantId }, body, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const sendTest = (tenantId: string, body: AdminInputOf<'sendTestMessage'>) =>
  admin.sendTestMessage({ tenantId }, body)
