import { Button } from '@mantine/core'
import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { NotFound } from '../parts/pages/not-found.tsx'
import { useCan } from '../session/session.tsx'

/** Shows a screen unless it is one of a tenant that does not exist. */
export function IfTenantExists({ children }: { readonly children: ReactNode }): ReactNode {
  const { tenantId } = useParams({ strict: false })
  const { pathname } = useLocation()
  const isMissing = useIsMissing(tenantId)
  const mayList = useCan()('tenants:read')
  if (!isMissing) return children
  return (
    <NotFound title="Tenant not found" isOfTenant key={pathname}>
      <Button variant="default" component={Link} to={mayList ? '/tenants' : '/'}>
        {mayList ? 'Go to the tenants' : 'Go to the overview'}
      </Button>
    </NotFound>
  )
}

/**
 * Whether the server answered any read with TENANT_NOT_FOUND. The navigation reads each tenant's name; without
 * `tenants:read`, the reads of the screen tell.
 */
function useIsMissing(tenantId: string | undefined): boolean {
  const queries = useQueryClient()
  const subscribe = useCallback(
    (onChange: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [queries],
  )
  return useSyncExternalStore(subscribe, () => tenantId !== undefined && wasNotFound(queries, tenantId))
}

const wasNotFound = (queries: QueryClient, tenantId: string): boolean =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ queryKey: [, path], state: { error } }) => isOf(path, tenantId) && isTenantNotFound(error))

const isOf = (path: unknown, tenantId: string): boolean =>
  (path as { readonly tenantId?: string } | undefined)?.tenantId === tenantId

const isTenantNotFound = (error: unknown): boolean =>
  error instanceof TenantryError && error.code === 'TENANT_NOT_FOUND'
