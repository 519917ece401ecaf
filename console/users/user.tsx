import { Anchor, Button, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { Activity } from '../activity/activity.tsx'
import { Id } from '../parts/id.tsx'
import { NotFound } from '../parts/pages/not-found.tsx'
import { Page } from '../parts/pages/page.tsx'
import { PanelSkeleton } from '../parts/pages/panel-skeleton.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { useCan } from '../session/session.tsx'
import { AccountPanel } from './account-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { Sanctions } from './sanctions.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import classes from './user.module.css'
import { UserActions } from './user-actions.tsx'
import { nameOf, UserState } from './user-state.tsx'
import { userQuery } from './users-queries.ts'

/** One user: account, ways to sign in, profile, sessions, messages, activity, and what the operator may do. */
export function Screen(): ReactNode {
  const path = useParams({ from: '/signed-in/tenants/$tenantId/users/$userId' })
  const { tenantId, userId } = path
  const { data: user, error, isPending, refetch } = useQuery(userQuery(path))
  const isSlow = useIsSlow(isPending)
  const can = useCan()
  const users = (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/users" params={{ tenantId }} />}>
      Users
    </Anchor>
  )
  if (error instanceof TenantryError && error.code === 'USER_NOT_FOUND')
    return (
      <NotFound title="User not found">
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/tenants/$tenantId/users" params={{ tenantId }} />}
        >
          Go to the users
        </Button>
      </NotFound>
    )
  if (user === undefined)
    return (
      <Page
        title="User"
        above={users}
        about={<Id value={userId} what="user id" />}
        // A phone shows them in a line, which would push everything down when they come.
        actions={can('users:write', tenantId) && error === null && <Skeleton height={36} width={150} />}
      >
        {error !== null && <Problem error={error} retry={() => void refetch()} />}
        {isSlow && (
          <SimpleGrid cols={{ base: 1, md: 2 }} aria-busy>
            <PanelSkeleton lines={6} />
            <PanelSkeleton lines={6} />
          </SimpleGrid>
        )}
      </Page>
    )
  return (
    <Page
      title={nameOf(user)}
      isName
      above={users}
      state={<UserState user={user} />}
      about={<Id value={userId} what="user id" />}
      actions={<UserActions path={path} user={user} />}
    >
      <Stack>
        {error !== null && <Problem error={error} retry={() => void refetch()} />}
        <Sanctions path={path} user={user} />
        <div className={classes['panels']}>
          <Stack>
            <AccountPanel path={path} user={user} />
            {can('sessions:read', tenantId) && <SessionsPanel path={path} />}
          </Stack>
          <Stack>
            {can('profiles:read', tenantId) && <ProfilePanel path={path} />}
            {can('messages:read', tenantId) && <MessagesPanel tenantId={tenantId} user={user} />}
          </Stack>
        </div>
        <Activity {...path} />
      </Stack>
    </Page>
  )
}
