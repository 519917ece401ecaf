import { Group } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { useCan, useOperator } from '../session/session.tsx'
import { TenantSelect } from '../tenants/tenant-select.tsx'

/** What the address asks for. `tenantId` undefined: the messages of all tenants. */
export function useInboxFilter(): { readonly tenantId: string | undefined; readonly recipient: string | undefined } {
  const { tenantId, recipient } = useSearch({ from: '/signed-in/code-inbox' })
  // Operators of some tenants read the inbox of one at a time.
  const [first] = useOperator()?.tenantIds ?? []
  return { tenantId: tenantId ?? first, recipient }
}

/** Changes what the address asks for. */
export function InboxFilters() {
  const { tenantId, recipient } = useInboxFilter()
  const navigate = useNavigate({ from: '/code-inbox' })
  const readsAll = (useOperator()?.tenantIds ?? null) === null
  const mayListTenants = useCan()('tenants:read')
  return (
    <Group mb="md" gap="sm">
      <SearchBox
        label="Filter by recipient"
        placeholder="Address or number"
        value={recipient}
        onSearch={(text) => void navigate({ search: { tenantId, recipient: text }, replace: true })}
      />
      {(mayListTenants || !readsAll) && (
        <TenantSelect
          label="Tenant"
          placeholder="All tenants"
          value={tenantId}
          isClearable={readsAll}
          onChange={(id) => void navigate({ search: { tenantId: id, recipient }, replace: true })}
        />
      )}
    </Group>
  )
}
