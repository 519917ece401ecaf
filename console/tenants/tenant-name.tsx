import { Skeleton } from '@mantine/core'
import { useTenantName } from './tenant-options.ts'

/** The name of a tenant, or its id if the name may not be read; a placeholder while it is read. */
export function TenantName({ tenantId }: { readonly tenantId: string }) {
  const name = useTenantName(tenantId)
  if (name === undefined)
    return (
      <Skeleton
        component="span"
        display="inline-block"
        width="8em"
        height="0.8em"
        style={{ verticalAlign: '-0.05em' }}
      />
    )
  return <bdi>{name}</bdi>
}
