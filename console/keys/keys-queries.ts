import { queryOptions } from '@tanstack/react-query'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

/** A key of a tenant, without the key itself. */
export type TenantKey = AdminOutputOf<'listTenantKeys'>['items'][number]

export const keysQuery = (tenantId: string, query: AdminInputOf<'listTenantKeys'>) =>
  queryOptions({
    queryKey: ['listTenantKeys', { tenantId }, query],
    queryFn: ({ signal }) => admin.listTenantKeys({ tenantId }, query, { signal }),
  })

/** Every list of a tenant's keys. */
export const keysOf = (tenantId: string) => ['listTenantKeys', { tenantId }]
