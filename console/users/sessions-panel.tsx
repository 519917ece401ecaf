import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useRemoval } from '../parts/dialogs/removal.ts'
import { Empty } from '../parts/pages/empty.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { toast } from '../parts/pages/toast.ts'
import { Time } from '../parts/times/time.tsx'
import { admin } from '../session/admin.ts'
import { useCan } from '../session/session.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { describeDevice } from './describe-device.ts'
import { Panel } from './panel.tsx'
import { Row, Rows } from './rows.tsx'
import { sessionsQuery, type UserPath } from './users-queries.ts'

/** Where the user is signed in. */
export function SessionsPanel({ path }: { readonly path: UserPath }) {
  const { data, error, isPending, refetch } = useQuery(sessionsQuery(path))
  const [isEndingAll, setEndingAll] = useState(false)
  const isSlow = useIsSlow(isPending)
  const queries = useQueryClient()
  const remove = useRemoval()
  const mayEnd = useCan()('sessions:write', path.tenantId)
  const readAgain = () => queries.invalidateQueries(sessionsQuery(path))
  const ending = useMutation({
    mutationFn: (sessionId: string) => remove(sessionId, () => admin.endUserSession({ ...path, sessionId })),
    onSuccess: () => toast('The session is ended'),
    onSettled: readAgain,
  })
  return (
    <Panel
      title="Sessions"
      isFlush
      actions={
        mayEnd &&
        data !== undefined &&
        data.length > 0 && (
          <Button size="xs" variant="default" onClick={() => setEndingAll(true)}>
            End all
          </Button>
        )
      }
    >
      <Stack gap={0}>
        {error !== null && <Problem error={error} retry={() => void refetch()} />}
        {ending.isError && <Problem error={ending.error} ofAct retry={() => ending.mutate(ending.variables)} />}
        {isSlow && <Skeleton height={40} m="md" />}
        {data?.length === 0 && (
          <Empty title="Signed in nowhere" isSmall Icon={IconDevices}>
            Each sign-in opens a session, which ends by itself when it is not used.
          </Empty>
        )}
        {data !== undefined && data.length > 0 && (
          <Rows label="Open sessions">
            {data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                mayEnd={mayEnd}
                isEnding={ending.isPending && ending.variables === session.id}
                onEnd={() => ending.mutate(session.id)}
              />
            ))}
          </Rows>
        )}
      </Stack>
      <Confirm
        isOpen={isEndingAll}
        onClose={() => setEndingAll(false)}
        title="End all sessions?"
        act="End all sessions"
        isDestructive
        onConfirm={async () => {
          await admin.endUserSessions(path)
          await readAgain()
          toast('All sessions are ended')
        }}
      >
        The user is signed out of <TenantName tenantId={path.tenantId} isStrong /> on every device at once, and can sign
        in again.
      </Confirm>
    </Panel>
  )
}

interface SessionRowProps {
  readonly session: AdminOutputOf<'listUserSessions'>['sessions'][number]
  readonly mayEnd: boolean
  readonly isEnding: boolean
  readonly onEnd: () => void
}

function SessionRow({ session, mayEnd, isEnding, onEnd }: SessionRowProps) {
  const { userAgent, network, createdAt, lastUsedAt } = session
  const device = describeDevice(userAgent)
  return (
    <Row
      act={
        mayEnd && (
          <Button
            size="xs"
            variant="default"
            aria-label={`End the session on ${device}`}
            loading={isEnding}
            onClick={onEnd}
          >
            End
          </Button>
        )
      }
    >
      <Text fw={600} size="sm" title={userAgent ?? ''}>
        {device}
      </Text>
      <Text size="xs" c="dimmed">
        {network} · used <Time at={lastUsedAt} /> · signed in <Time at={createdAt} />
      </Text>
    </Row>
  )
}
