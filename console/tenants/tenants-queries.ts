import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { AdminInputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'
import { readCan } from '../session/session.tsx'

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

/** The tenant, for its name, which is read again after five minutes. A tenant that is not found is not asked for again. */
export const tenantNameQuery = (tenantId: string) => ({
  ...tenantQuery(tenantId),
  staleTime: 300_000,
  retry: false,
  retryOnMount: false,
})

/** Reads the names of tenants that the operator may read: a list that waits for them does not move when they come. */
export async function readTenantNames(queries: QueryClient, tenantIds: Iterable<string>): Promise<void> {
  const can = readCan(queries)
  const readable = [...new Set(tenantIds)].filter((tenantId) => can('tenants:read', tenantId))
  await Promise.all(readable.map((tenantId) => queries.prefetchQuery(tenantNameQuery(tenantId))))
}

/** The latest versions of the profile schema; a version that is building or failed may be before the current one. */
export const latestVersionsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['listProfileSchemaVersions', { tenantId }, { limit: 20 }],
    queryFn: ({ signal }) => admin.listProfileSchemaVersions({ tenantId }, { limit: 20 }, { signal }),
  })
