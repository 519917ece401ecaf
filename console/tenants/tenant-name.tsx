import { Skeleton } from '@mantine/core'
import { useTenantName } from './tenant-options.ts'

interface TenantNameProps {
  readonly tenantId: string
  /** Where it decides: in the question before an act. */
  readonly isStrong?: true
}

/** The name of a tenant, or its id if the name may not be read; a placeholder while it is read. */
export function TenantName({ tenantId, isStrong }: TenantNameProps) {
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
  return <bdi style={isStrong && { fontWeight: 600, overflowWrap: 'anywhere' }}>{name}</bdi>
}
