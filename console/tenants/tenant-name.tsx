import { useQuery } from '@tanstack/react-query'
import { useCan } from '../session/session.tsx'
import { tenantQuery } from './tenants-queries.ts'

/** The name of a tenant; its id until the name is known, or if it may not be. */
export function TenantName({ tenantId }: { readonly tenantId: string }) {
  const enabled = useCan()('tenants:read', tenantId)
  const { data } = useQuery({ ...tenantQuery(tenantId), staleTime: 300_000, retry: false, enabled })
  return <bdi>{data?.name ?? tenantId}</bdi>
}
