import { Button, Group, List, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Identity, ManagedUser } from '../../packages/client/src/admin.ts'
import { Address } from '../parts/address.tsx'
import { Problem } from '../parts/problem.tsx'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/time.tsx'
import { useCan } from '../session/session.tsx'
import { ChangeAddress } from './change-address.tsx'
import { Fact, Facts } from './facts.tsx'
import { Panel } from './panel.tsx'
import { useMethods } from './use-methods.ts'
import { identitiesQuery, type UserPath } from './users-queries.ts'
import { isOff } from './ways-to-sign-in.ts'

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
          <WaysToSignIn path={path} user={user} />
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

const providers: Readonly<Record<string, string>> = { google: 'Google', apple: 'Apple', facebook: 'Facebook' }

const wayOf = ({ id, method }: Identity): string =>
  id === 'password'
    ? 'Password'
    : id === 'email'
      ? 'Code by e-mail'
      : id === 'phone'
        ? 'Code by SMS'
        : (providers[method] ?? method)

function WaysToSignIn({ path, user }: AccountPanelProps) {
  const { data, error, refetch } = useQuery(identitiesQuery(path))
  const methods = useMethods(path.tenantId)
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={14} width={120} my={5} />
  if (data.length === 0) return user.guest ? 'Nothing: a guest has only their session' : 'Nothing yet'
  return (
    <List listStyleType="none" spacing={4} p={0}>
      {data.map((identity) => {
        const address = identity.email ?? identity.phone
        const isElsewhere = address !== null && address !== user.email && address !== user.phone
        return (
          <List.Item key={identity.id}>
            {wayOf(identity)}
            {isElsewhere && (
              <Text span c="dimmed" size="sm">
                {' '}
                <bdi>{address}</bdi>
              </Text>
            )}
            {identity.createdAt !== null && (
              <Text span c="dimmed" size="xs">
                {' '}
                added <Time at={identity.createdAt} />
              </Text>
            )}
            {isOff(identity.method, methods) && (
              <>
                {' '}
                <State tone="warn">Off for this tenant</State>
              </>
            )}
          </List.Item>
        )
      })}
    </List>
  )
}
