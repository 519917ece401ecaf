import { useTenantName } from './tenant-options.ts'

/** The name of a tenant; its id until the name is known, or if it may not be. */
export const TenantName = ({ tenantId }: { readonly tenantId: string }) => <bdi>{useTenantName(tenantId)}</bdi>
