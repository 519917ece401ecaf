import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconBan, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { Problem } from '../parts/pages/problem.tsx'
import { toast } from '../parts/pages/toast.ts'
import { Time } from '../parts/times/time.tsx'
import { useCan } from '../session/session.tsx'
import { capabilityNames } from './capabilities.ts'
import { type UserPath, useUpdateUser } from './users-queries.ts'

interface SanctionsProps {
  readonly path: UserPath
  readonly user: ManagedUser
}

/** Above everything: that the user is suspended or restricted, why, until when, and how to lift it. */
export function Sanctions({ path, user }: SanctionsProps) {
  const restrictions = user.restrictions.filter(({ capability }) => user.restrictedCapabilities.includes(capability))
  const update = useUpdateUser(path)
  const mayLift = useCan()('users:write', path.tenantId)
  const lift = (changes: Parameters<typeof update.mutate>[0], done: string) =>
    update.mutate(changes, { onSuccess: () => toast(done) })
  const button = (children: ReactNode, act: () => void) =>
    mayLift && (
      <Button size="xs" variant="default" loading={update.isPending} onClick={act}>
        {children}
      </Button>
    )
  return (
    <>
      {update.isError && <Problem error={update.error} ofAct />}
      {user.suspension !== null && (
        <Alert classNames={{ root: 'tint-bad' }} icon={<IconBan />} title="Suspended" role="status">
          <Stack gap="xs" align="flex-start">
            <Why {...user.suspension} />
            {button('Lift the suspension', () => lift({ suspension: null }, 'The suspension is lifted'))}
          </Stack>
        </Alert>
      )}
      {restrictions.length > 0 && (
        <Alert classNames={{ root: 'tint-warn' }} icon={<IconLock />} title="Restricted" role="status">
          <Stack gap="xs" align="flex-start">
            <List size="sm" spacing={4}>
              {restrictions.map(({ capability, ...why }) => (
                <List.Item key={capability}>
                  <Group gap="xs">
                    <b>{capabilityNames[capability]}</b>
                    <Why {...why} />
                  </Group>
                </List.Item>
              ))}
            </List>
            {button('Lift all restrictions', () => lift({ restrictions: [] }, 'The restrictions are lifted'))}
          </Stack>
        </Alert>
      )}
    </>
  )
}

function Why({ reason, until }: { readonly reason: string | null; readonly until: string | null }) {
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {reason === null ? 'No reason given' : <bdi>{reason}</bdi>}
      {' · '}
      {until === null ? 'without an end' : <>ends {<Time at={until} />}</>}
    </Text>
  )
}
