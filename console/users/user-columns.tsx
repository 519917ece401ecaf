import { Avatar, Group, Stack, Text } from '@mantine/core'
import { IconPhone, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { Address } from '../parts/address.tsx'
import { Id } from '../parts/id.tsx'
import type { Column } from '../parts/lists/list.tsx'
import { Time } from '../parts/times/time.tsx'
import type { ConditionSearch } from './profile-search/conditions.ts'
import { nameOf, UserState } from './user-state.tsx'

/** The search of the list in the URL. */
type UserListSearch = ConditionSearch & {
  readonly q?: string | undefined
  readonly state?: string | undefined
  readonly cursor?: string | undefined
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list that a user was opened from: one returns to it when the user is deleted. */
    userList?: UserListSearch
  }
}

/** The columns of a tenant's users. */
export const columnsOf = (tenantId: string, search: UserListSearch): readonly Column<ManagedUser>[] => [
  {
    header: 'User',
    isName: true,
    cell: (user) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size={30} radius="xl" aria-hidden visibleFrom="sm" classNames={{ placeholder: 'avatar' }}>
          {user.email === null ? <Anonymous {...user} /> : Array.from(user.email)[0]?.toUpperCase()}
        </Avatar>
        <Stack gap={0} miw={0} flex={1}>
          <Link
            className="row-link"
            to="/tenants/$tenantId/users/$userId"
            params={{ tenantId, userId: user.id }}
            state={{ userList: search }}
          >
            <span className="row-name">
              <Address value={nameOf(user)} />
            </span>
          </Link>
          <Id value={user.id} inList />
        </Stack>
      </Group>
    ),
  },
  {
    header: 'Phone',
    width: 180,
    visibleFrom: 'lg',
    cell: ({ phone, phoneVerified }) =>
      phone === null ? (
        '–'
      ) : (
        <>
          <bdi>{phone}</bdi>
          {!phoneVerified && (
            <Text size="xs" c="dimmed">
              unverified
            </Text>
          )}
        </>
      ),
  },
  { header: 'State', width: 118, cell: (user) => <UserState user={user} /> },
  { header: 'Last active', width: 150, visibleFrom: 'sm', cell: ({ lastActiveAt }) => <Time at={lastActiveAt} /> },
  { header: 'Created', width: 150, visibleFrom: 'md', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The picture of a user without an address. */
const Anonymous = ({ phone }: { readonly phone: string | null }) =>
  phone === null ? <IconUser size={16} stroke={1.6} /> : <IconPhone size={16} stroke={1.6} />
