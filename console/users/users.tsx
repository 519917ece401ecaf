import { Button } from '@mantine/core'
import { IconUpload, IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { List } from '../parts/lists/list.tsx'
import { usePageSize } from '../parts/lists/page-size.ts'
import { Page } from '../parts/pages/page.tsx'
import { useCan } from '../session/session.tsx'
import { ExportUsers } from './export-users.tsx'
import { FindUsers } from './find-users.tsx'
import { NewUser } from './new-user.tsx'
import { NoUsers } from './no-users.tsx'
import { columnsOf } from './user-columns.tsx'
import { userSearch } from './user-search.ts'
import { isUserState } from './user-state.tsx'
import { usersQuery } from './users-queries.ts'

/** The users of a tenant, newest first; a search is in the order of addresses, or of the values of a profile field. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/users' })
  const { q, state, cursor, ...conditions } = useSearch({
    from: '/signed-in/tenants/$tenantId/users',
    select: userSearch,
  })
  const navigate = useNavigate({ from: '/tenants/$tenantId/users' })
  const [limit] = usePageSize()
  const [isAdding, setAdding] = useState(false)
  const can = useCan()
  const mayWrite = can('users:write', tenantId)
  const hasConditions = Object.keys(conditions).length > 0
  const isSearch = q !== undefined || hasConditions
  const query = useQuery({
    ...usersQuery(tenantId, {
      ...(isUserState(state) && { state }),
      ...(q !== undefined && { q }),
      ...conditions,
      ...(!isSearch && { order: 'newest' }),
      cursor,
      limit,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Users"
      about={`${isSearch ? '' : 'Newest first. '}The people who signed up, and those you add.`}
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
        columns={columnsOf(tenantId, { q, state, ...conditions, cursor })}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        onCursor={(next) => void navigate({ search: { q, state, ...conditions, cursor: next } })}
        tools={
          <FindUsers
            tenantId={tenantId}
            search={{ q, state, ...conditions }}
            onSearch={(search, replace) => void navigate({ search, replace })}
          />
        }
        search={{ what: 'user', by: { q, state, ...conditions } }}
        empty={
          <NoUsers
            q={q}
            hasConditions={hasConditions}
            hasState={isUserState(state)}
            hasMore={query.data?.nextCursor != null}
            onShowAll={() => void navigate({ search: {} })}
          />
        }
      />
    </Page>
  )
}
