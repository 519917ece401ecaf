import { Button, Menu } from '@mantine/core'
import { IconBan, IconChevronDown, IconLock, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Tenant } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { useNavigateFromHere } from '../parts/pages/navigate-from-here.ts'
import { toast } from '../parts/pages/toast.ts'
import { admin } from '../session/admin.ts'
import { useChangeTenant } from './change-tenant.ts'
import { RenameTenant } from './rename-tenant.tsx'
import { RestrictTenant } from './restrict-tenant.tsx'
import { tenantQuery } from './tenants-queries.ts'

type Act = 'rename' | 'restrict' | 'suspend' | 'restore' | 'delete'

/** What can be done with a tenant as a whole. */
export function TenantActions({ tenant }: { readonly tenant: Tenant }) {
  const [act, setAct] = useState<Act | null>(null)
  const close = () => setAct(null)
  const change = useChangeTenant(tenant.id)
  const queries = useQueryClient()
  const navigate = useNavigateFromHere()
  const removeOnce = useRemoval()
  async function remove(): Promise<void> {
    await removeOnce(tenant.id, () => admin.deleteTenant({ tenantId: tenant.id }))
    toast('The tenant is deleted')
    await navigate({ to: '/tenants', ignoreBlocker: true })
    queries.removeQueries(tenantQuery(tenant.id))
    await queries.invalidateQueries({ queryKey: ['listTenants'] })
  }
  return (
    <>
      <ActMenu isSuspended={tenant.suspended} onPick={setAct} />
      {act === 'rename' && <RenameTenant tenant={tenant} onClose={close} />}
      {act === 'restrict' && <RestrictTenant tenant={tenant} onClose={close} />}
      <Confirm
        isOpen={act === 'suspend'}
        onClose={close}
        title="Suspend tenant"
        act="Suspend"
        isDestructive
        onConfirm={() => change({ suspended: true })}
      >
        Every request of <bdi>{tenant.name}</bdi> is refused with <b>TENANT_SUSPENDED</b> until you lift the suspension.
        Nothing is deleted, sessions stay, and queued messages are still sent.
      </Confirm>
      <Confirm
        isOpen={act === 'restore'}
        onClose={close}
        title="Lift the suspension"
        act="Lift the suspension"
        onConfirm={() => change({ suspended: false })}
      >
        Users of <bdi>{tenant.name}</bdi> can sign in again, immediately.
      </Confirm>
      <Confirm
        isOpen={act === 'delete'}
        onClose={close}
        title="Delete tenant"
        act="Delete tenant"
        isDestructive
        typed={tenant.name}
        onConfirm={remove}
      >
        Its keys stop working immediately. Its users, profiles, messages and events are erased five minutes later, and
        cannot be restored.
      </Confirm>
    </>
  )
}

interface ActMenuProps {
  readonly isSuspended: boolean
  readonly onPick: (act: Act) => void
}

function ActMenu({ isSuspended, onPick }: ActMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} />}>
          Change
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onPick('rename')}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={16} />} onClick={() => onPick('restrict')}>
          Restrict
        </Menu.Item>
        {isSuspended ? (
          <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => onPick('restore')}>
            Lift the suspension
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconBan size={16} />} onClick={() => onPick('suspend')}>
            Suspend
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} />}
          onClick={() => onPick('delete')}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
