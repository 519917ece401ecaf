import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useSyncExternalStore } from 'react'
import { endWaiting, isSessionEnded, onSessionEnded } from './ended-session.ts'
import { KeyForm } from './key-form.tsx'
import { sessionQuery, useOperator } from './session.tsx'
import type { ConsoleSession } from './session-requests.ts'

/** Over the page when its session has ended: after a sign-in it goes on as if nothing had happened. */
export function SessionEnded(): ReactNode {
  const isEnded = useSyncExternalStore(onSessionEnded, isSessionEnded)
  const operator = useOperator()
  const queries = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  function goOn(session: ConsoleSession): void {
    const isSame = session.operator?.id === operator?.id
    queries.setQueryData(sessionQuery.queryKey, session)
    endWaiting(isSame)
    // Another operator may see other things, and has not asked for what waited.
    if (!isSame) void queries.resetQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey })
  }
  function leave(): void {
    const to = router.state.location.href
    endWaiting(false)
    void navigate({ to: '/sign-in', search: { to } })
  }
  return (
    <Modal
      opened={isEnded}
      onClose={leave}
      title={<Text fw={650}>Your session has ended</Text>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      // Above the dialog that it may interrupt.
      zIndex={1000}
    >
      <Stack>
        <Text size="sm">
          Sign in again to go on. What you typed on this page is still there, unless another operator signs in.
        </Text>
        <KeyForm act="Sign in and go on" onSignedIn={goOn} />
        <Button variant="subtle" size="xs" color="gray" c="dimmed" onClick={leave} data-mantine-stop-propagation>
          Leave this page
        </Button>
      </Stack>
    </Modal>
  )
}
