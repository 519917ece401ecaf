import { Button, Stack } from '@mantine/core'
import { IconBuildingCommunity, IconZoomCancel } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { Id } from '../parts/id.tsx'
import { type Column, List } from '../parts/lists/list.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { NewTenant } from './new-tenant.tsx'
import { longestTenantName } from './tenant-options.ts'
import { TenantState } from './tenant-state.tsx'
import { tenantsQuery } from './tenants-queries.ts'

type ListedTenant = AdminOutputOf<'listTenants'>['items'][number]

const count = new Intl.NumberFormat('en')

const columns: readonly Column<ListedTenant>[] = [
  {
    header: 'Tenant',
    isName: true,
    cell: ({ id, name }) => (
      <Stack gap={0} miw={0}>
        <Link className="row-link" to="/tenants/$tenantId" params={{ tenantId: id }}>
          <span className="row-name" dir="auto">
            {name}
          </span>
        </Link>
        <Id value={id} inList />
      </Stack>
    ),
  },
  { header: 'State', width: 130, cell: (tenant) => <TenantState {...tenant} /> },
  {
    header: 'Users',
    width: 110,
    isNumber: true,
    visibleFrom: 'xs',
    cell: ({ users }) => (users === null ? '–' : count.format(users)),
  },
  { header: 'Created', width: 170, visibleFrom: 'sm', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** All tenants that the operator may see. */
export function Screen(): ReactNode {
  const { q, cursor } = useSearch({ from: '/signed-in/tenants' })
  const navigate = useNavigate({ from: '/tenants' })
  const [limit] = usePageSize()
  const can = useCan()
  const query = useQuery({
    ...tenantsQuery({ ...(q !== undefined && { q }), order: 'newest', cursor, limit }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Tenants"
      about="Each tenant has its own users, profile schema, keys and messages."
      actions={can('tenants:write', null) && <NewTenant />}
    >
      <List
        label="Tenants"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        onCursor={(next) => void navigate({ search: { q, cursor: next } })}
        tools={
          <SearchBox
            label="Search by the beginning of a name or an id"
            placeholder="Beginning of a name or id"
            value={q}
            maxLength={longestTenantName}
            onSearch={(text) => void navigate({ search: { q: text }, replace: true })}
          />
        }
        search={{ what: 'tenant', by: { q } }}
        empty={
          q === undefined ? (
            <Empty title="No tenants yet" Icon={IconBuildingCommunity}>
              Create the first tenant: applications get their keys from it.
            </Empty>
          ) : (
            <Empty
              title={`No tenant matches “${q}”`}
              Icon={IconZoomCancel}
              act={
                <Button variant="default" size="xs" onClick={() => void navigate({ search: {} })}>
                  Show all tenants
                </Button>
              }
            >
              Names and ids are compared from their beginning.
            </Empty>
          )
        }
      />
    </Page>
  )
}
