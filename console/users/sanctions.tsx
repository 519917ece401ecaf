import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconBan, IconLock } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { Problem } from '../parts/pages/problem.tsx'
import { toast } from '../parts/pages/toast.ts'
import { Time } from '../parts/times/time.tsx'
import { readNow } from '../queries.ts'
import { useCan } from '../session/session.tsx'
import { capabilityNames } from './capabilities.ts'
import { isSameSuspension } from './suspend-user.tsx'
import { changedMeanwhile, restrictionsAfter, typedRestrictions } from './typed-restrictions.ts'
import { type UserPath, userQuery, useUpdateUser } from './users-queries.ts'

interface SanctionsProps {
  readonly path: UserPath
  readonly user: ManagedUser
}

/** Above everything: that the user is suspended or restricted, why, until when, and how to lift it. */
export function Sanctions({ path, user }: SanctionsProps) {
  const restrictions = user.restrictions.filter(({ capability }) => user.restrictedCapabilities.includes(capability))
  const queries = useQueryClient()
  const update = useUpdateUser(path)
  // Only what is shown: another operator may have had a reason for more meanwhile.
  const lifting = useMutation({
    async mutationFn(what: 'suspension' | 'restrictions') {
      const now = await readNow(queries, userQuery(path))
      if (what === 'restrictions') {
        const shown = typedRestrictions(user)
        if (changedMeanwhile(user, shown, {}, now).length > 0)
          throw new Error(
            'The restrictions were changed meanwhile. Lift them again if those that are shown now may end.',
          )
        return update.mutateAsync({ restrictions: restrictionsAfter(shown, {}, now) })
      }
      if (now.suspension !== null && !isSameSuspension(now.suspension, user.suspension))
        throw new Error('The suspension was changed meanwhile. Lift it again if the one that is shown now may end.')
      return update.mutateAsync({ suspension: null })
    },
    onSuccess: (_user, what) => toast(`The ${what} ${what === 'suspension' ? 'is' : 'are'} lifted`),
  })
  const mayLift = useCan()('users:write', path.tenantId)
  const button = (children: ReactNode, act: () => void) =>
    mayLift && (
      <Button size="xs" variant="default" loading={lifting.isPending} onClick={act}>
        {children}
      </Button>
    )
  return (
    <>
      {lifting.isError && <Problem error={lifting.error} ofAct />}
      {user.suspension !== null && (
        <Alert classNames={{ root: 'tint-bad' }} icon={<IconBan />} title="Suspended" role="status">
          <Stack gap="xs" align="flex-start">
            <Why {...user.suspension} />
            {button('Lift the suspension', () => lifting.mutate('suspension'))}
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
            {button('Lift all restrictions', () => lifting.mutate('restrictions'))}
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
