import { queryOptions } from '@tanstack/react-query'
import type { AdminInputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

export const tenantsQuery = (query: AdminInputOf<'listTenants'>) =>
  queryOptions({
    queryKey: ['listTenants', {}, query],
    queryFn: ({ signal }) => admin.listTenants(query, { signal }),
  })

export const tenantQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['getTenant', { tenantId }],
    queryFn: ({ signal }) => admin.getTenant({ tenantId }, { signal }),
  })

/** The latest versions of the profile schema; a version that is building or failed may be before the current one. */
export const latestVersionsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['listProfileSchemaVersions', { tenantId }, { limit: 20 }],
    queryFn: ({ signal }) => admin.listProfileSchemaVersions({ tenantId }, { limit: 20 }, { signal }),
  })
