import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBan, IconDots, IconHistory, IconLockOff, IconMailForward, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { useNavigateFromHere } from '../parts/pages/navigate-from-here.ts'
import { toast } from '../parts/pages/toast.ts'
import { readNow } from '../queries.ts'
import { admin } from '../session/admin.ts'
import { useCan } from '../session/session.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { RestrictUser } from './restrict-user.tsx'
import { SuspendUser } from './suspend-user.tsx'
import { nameOf } from './user-state.tsx'
import { readUsersAgain, type UserPath, userQuery } from './users-queries.ts'

interface UserActionsProps {
  readonly path: UserPath
  readonly user: ManagedUser
}

type Act = 'suspend' | 'restrict' | 'reset' | 'delete'

/** The acts of the operator on a user. */
export function UserActions({ path, user }: UserActionsProps) {
  const [act, setAct] = useState<Act | null>(null)
  const can = useCan()
  const mayWrite = can('users:write', path.tenantId)
  const mayDelete = can('users:delete', path.tenantId)
  const mayReadEvents = can('events:read', path.tenantId)
  const close = () => setAct(null)
  return (
    <>
      {mayWrite && user.suspension === null && (
        <Button variant="default" leftSection={<IconBan size={16} />} onClick={() => setAct('suspend')}>
          Suspend
        </Button>
      )}
      {(mayWrite || mayDelete || mayReadEvents) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayWrite && (
              <>
                <Menu.Item leftSection={<IconMailForward size={16} />} onClick={() => setAct('reset')}>
                  Send a password reset
                </Menu.Item>
                <Menu.Item leftSection={<IconLockOff size={16} />} onClick={() => setAct('restrict')}>
                  Restrict
                </Menu.Item>
              </>
            )}
            {mayReadEvents && (
              <Menu.Item
                leftSection={<IconHistory size={16} />}
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/tenants/$tenantId/activity"
                    params={{ tenantId: path.tenantId }}
                    search={{ subjectId: path.userId }}
                  />
                )}
              >
                Activity
              </Menu.Item>
            )}
            {mayDelete && (
              <Menu.Item
                leftSection={<IconTrash size={16} />}
                c="var(--mantine-color-error)"
                onClick={() => setAct('delete')}
              >
                Delete
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {act === 'suspend' && <SuspendUser path={path} user={user} onClose={close} />}
      {act === 'restrict' && <RestrictUser path={path} user={user} onClose={close} />}
      <SendReset path={path} user={user} isOpen={act === 'reset'} onClose={close} />
      <DeleteUser path={path} user={user} isOpen={act === 'delete'} onClose={close} />
    </>
  )
}

interface DialogProps extends UserActionsProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

function SendReset({ path, user, isOpen, onClose }: DialogProps) {
  const queries = useQueryClient()
  async function send(): Promise<void> {
    const { email } = await readNow(queries, userQuery(path))
    if (email !== user.email)
      throw new Error(
        `The address was changed meanwhile: it is ${email ?? 'removed'} now. Send again if the code may go there.`,
      )
    await admin.sendPasswordReset(path)
    toast(`A code is on its way to ${email}`)
    await queries.invalidateQueries({ queryKey: ['listMessages', { tenantId: path.tenantId }] })
  }
  return (
    <Confirm isOpen={isOpen} onClose={onClose} title="Send a password reset?" act="Send the code" onConfirm={send}>
      A code to set a new password goes to {user.email === null ? 'the e-mail address' : <bdi>{user.email}</bdi>}. The
      password works until it is replaced.
    </Confirm>
  )
}

function DeleteUser({ path, user, isOpen, onClose }: DialogProps) {
  const queries = useQueryClient()
  const navigate = useNavigateFromHere()
  const userList = useLocation().state.userList ?? {}
  const removeOnce = useRemoval()
  async function remove(): Promise<void> {
    await removeOnce(path.userId, () => admin.deleteUser(path))
    toast(`${nameOf(user)} is deleted`)
    const { tenantId } = path
    await navigate({ to: '/tenants/$tenantId/users', params: { tenantId }, search: userList, ignoreBlocker: true })
    queries.removeQueries({ queryKey: userQuery(path).queryKey })
    void readUsersAgain(queries, path.tenantId)
  }
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title="Delete this user?"
      act="Delete user"
      isDestructive
      typed={user.email ?? user.phone ?? path.userId}
      onConfirm={remove}
    >
      The account at <TenantName tenantId={path.tenantId} isStrong /> is deleted, with its profile and all sessions.
      This cannot be undone.
    </Confirm>
  )
}
