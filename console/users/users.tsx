import { Button, Group, NativeSelect } from '@mantine/core'
import { IconUpload, IconUserPlus, IconUsers, IconZoomCancel } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { List } from '../parts/lists/list.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { useCan } from '../session/session.tsx'
import { ExportUsers } from './export-users.tsx'
import { NewUser } from './new-user.tsx'
import { columnsOf } from './user-columns.tsx'
import { isUserState, userStates } from './user-state.tsx'
import { usersQuery } from './users-queries.ts'

/** The users of a tenant, newest first; a search is in the order of addresses. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/users' })
  const { q, state, cursor } = useSearch({ from: '/signed-in/tenants/$tenantId/users' })
  const navigate = useNavigate({ from: '/tenants/$tenantId/users' })
  const [limit] = usePageSize()
  const [isAdding, setAdding] = useState(false)
  const can = useCan()
  const mayWrite = can('users:write', tenantId)
  const filter = { ...(isUserState(state) && { state }) }
  const query = useQuery({
    ...usersQuery(tenantId, { ...filter, ...(q === undefined ? { order: 'newest' } : { q }), cursor, limit }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Users"
      about={`${q === undefined ? 'Newest first. ' : ''}The people who signed up, and those you add.`}
      actions={
        <>
          {can('users:export', tenantId) && <ExportUsers tenantId={tenantId} />}
          {mayWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconUpload size={16} />}
                renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/users/import" params={{ tenantId }} />}
              >
                Import
              </Button>
              <Button leftSection={<IconUserPlus size={16} />} onClick={() => setAdding(true)}>
                New user
              </Button>
              <NewUser tenantId={tenantId} isOpen={isAdding} onClose={() => setAdding(false)} />
            </>
          )}
        </>
      }
    >
      <List
        label="Users"
        columns={columnsOf(tenantId)}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        onCursor={(next) => void navigate({ search: { q, state, cursor: next } })}
        tools={
          <Group gap="sm">
            <SearchBox
              label="Search by the beginning of an address, a number (+…) or an id"
              placeholder="Address, +number or id"
              value={q}
              onSearch={(text) => void navigate({ search: { q: text, state }, replace: true })}
            />
            <NativeSelect
              aria-label="State"
              value={isUserState(state) ? state : ''}
              data={[
                { value: '', label: 'Every state' },
                ...Object.entries(userStates).map(([value, label]) => ({ value, label })),
              ]}
              onChange={({ currentTarget }) =>
                void navigate({ search: { q, state: currentTarget.value || undefined }, replace: true })
              }
            />
          </Group>
        }
        empty={
          <NoUsers
            q={q}
            hasState={isUserState(state)}
            hasMore={query.data?.nextCursor != null}
            onShowAll={() => void navigate({ search: {} })}
          />
        }
      />
    </Page>
  )
}

interface NoUsersProps {
  readonly q: string | undefined
  readonly hasState: boolean
  readonly hasMore: boolean
  readonly onShowAll: () => void
}

function NoUsers({ q, hasState, hasMore, onShowAll }: NoUsersProps) {
  const act = (
    <Button variant="default" size="xs" onClick={onShowAll}>
      Show all users
    </Button>
  )
  if (hasMore)
    return (
      <Empty title="No match so far" Icon={IconZoomCancel}>
        Few users match. “Next” continues the search.
      </Empty>
    )
  if (q !== undefined) {
    return (
      <Empty title={`No user matches “${q}”`} Icon={IconZoomCancel} act={act}>
        Addresses, numbers and ids are compared from their beginning. Write numbers with + and the country code.
      </Empty>
    )
  }
  if (hasState) return <Empty title="No user is in this state" Icon={IconZoomCancel} act={act} />
  return (
    <Empty title="No users yet" Icon={IconUsers}>
      Users appear here when they sign up. Create one, or import a file.
    </Empty>
  )
}
