import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Identity, ManagedUser } from '../../packages/client/src/admin.ts'
import { Problem } from '../parts/pages/problem.tsx'
import { providerNames } from '../parts/provider-names.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { RemoveIdentity } from './remove-identity.tsx'
import { useMethods } from './use-methods.ts'
import { identitiesQuery, type UserPath } from './users-queries.ts'
import { isOff } from './ways-to-sign-in.ts'

const providers: Readonly<Record<string, string>> = providerNames

const wayOf = ({ id, method }: Identity): string =>
  id === 'password'
    ? 'Password'
    : id === 'email'
      ? 'Code by e-mail'
      : id === 'phone'
        ? 'Code by SMS'
        : (providers[method] ?? method)

interface IdentitiesProps {
  readonly path: UserPath
  readonly user: ManagedUser
}

/** The ways to sign in. The last one cannot be removed. */
export function Identities({ path, user }: IdentitiesProps) {
  const { data, error, refetch } = useQuery(identitiesQuery(path))
  const [removed, setRemoved] = useState<Identity | null>(null)
  const methods = useMethods(path.tenantId)
  const can = useCan()
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={14} width={120} my={5} />
  if (data.length === 0) return user.guest ? 'Nothing: a guest has only their session' : 'Nothing yet'
  return (
    <>
      <Stack component="ul" gap={4} p={0} m={0} style={{ listStyleType: 'none' }}>
        {data.map((identity) => (
          <Group component="li" key={identity.id} gap="xs" wrap="nowrap" align="flex-start">
            <div style={{ flex: 1, minWidth: 0 }}>
              <Way identity={identity} user={user} isOff={isOff(identity.method, methods)} />
            </div>
            {data.length > 1 && can('users:write', path.tenantId) && (
              <Button
                variant="default"
                size="compact-xs"
                flex="none"
                aria-label={`Remove: ${wayOf(identity)}`}
                onClick={() => setRemoved(identity)}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {removed !== null && (
        <RemoveIdentity
          path={path}
          user={user}
          identity={removed}
          way={wayOf(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  )
}

interface WayProps {
  readonly identity: Identity
  readonly user: ManagedUser
  readonly isOff: boolean
}

function Way({ identity, user, isOff }: WayProps) {
  const address = identity.email ?? identity.phone
  const isElsewhere = address !== null && address !== user.email && address !== user.phone
  return (
    <>
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
      {isOff && (
        <>
          {' '}
          <State tone="warn">Off for this tenant</State>
        </>
      )}
    </>
  )
}
