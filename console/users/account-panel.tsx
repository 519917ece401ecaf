import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { Address } from '../parts/address.tsx'
import { Fact, Facts } from '../parts/pages/facts.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { ChangeAddress } from './change-address.tsx'
import { Identities } from './identities.tsx'
import { Panel } from './panel.tsx'
import type { UserPath } from './users-queries.ts'

interface AccountPanelProps {
  readonly path: UserPath
  readonly user: ManagedUser
}

/** Addresses, ways to sign in, and times. */
export function AccountPanel({ path, user }: AccountPanelProps) {
  return (
    <Panel title="Account">
      <Facts>
        <AddressFact kind="email" path={path} user={user} />
        <AddressFact kind="phone" path={path} user={user} />
        <Fact name="Signs in with">
          <Identities path={path} user={user} />
        </Fact>
        <Fact name="Last active">
          <Time at={user.lastActiveAt} />
        </Fact>
        <Fact name="Created">
          <Time at={user.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  )
}

function AddressFact({ kind, path, user }: AccountPanelProps & { readonly kind: 'email' | 'phone' }) {
  const [isChanging, setChanging] = useState(false)
  const can = useCan()
  const value = user[kind]
  const isVerified = user[`${kind}Verified`]
  const name = kind === 'email' ? 'E-mail' : 'Phone'
  return (
    <Fact
      name={
        // Beside the name, because addresses of usual length leave no room for it.
        <Group gap="0 0.5rem">
          <span>{name}</span>
          {value !== null && (
            <State tone={isVerified ? 'good' : 'info'}>{isVerified ? 'Verified' : 'Unverified'}</State>
          )}
        </Group>
      }
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ flex: 1, minWidth: 0 }}>{value === null ? '–' : <Address value={value} />}</div>
        {can('users:write', path.tenantId) && (
          <Button
            variant="default"
            size="compact-xs"
            flex="none"
            aria-label={`${value === null ? 'Add' : 'Change'}: ${name}`}
            onClick={() => setChanging(true)}
          >
            {value === null ? 'Add' : 'Change'}
          </Button>
        )}
      </Group>
      {isChanging && <ChangeAddress kind={kind} path={path} user={user} onClose={() => setChanging(false)} />}
    </Fact>
  )
}
