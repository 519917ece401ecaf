import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { keepsDialogs, keepsDialogsBelow } from '../parts/dialogs/keeps-dialogs.ts'
import { askToSignIn, endWaiting, isSessionEnded, onSessionEnded } from './ended-session.ts'
import { KeyForm } from './key-form.tsx'
import { onOtherTab } from './other-tabs.ts'
import { sessionQuery, useOperator } from './session.tsx'
import { type ConsoleSession, readSession } from './session-requests.ts'

/**
 * Over the page when its session has ended, or is that of another operator since another tab signed in: after a sign-in it
 * goes on as if nothing had happened.
 */
export function SessionEnded(): ReactNode {
  const isEnded = useSyncExternalStore(onSessionEnded, isSessionEnded)
  const operator = useOperator()
  /** The session of the browser, after another tab has signed in or out. */
  const [now, setNow] = useState<ConsoleSession | null>(null)
  const queries = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  function goOn(session: ConsoleSession): void {
    const isSame = session.operator?.id === operator?.id
    setNow(null)
    queries.setQueryData(sessionQuery.queryKey, session)
    endWaiting(isSame)
    // Another operator may see other things, and has not asked for what waited.
    if (!isSame) void queries.resetQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey })
  }
  async function compare(): Promise<void> {
    // Without an answer, the next request shows whether the session is open.
    const session = await readSession().catch(() => null)
    if (session === null) return
    if (session.operator?.id === operator?.id) return goOn(session)
    setNow(session)
    void askToSignIn()
  }
  const latest = useRef(compare)
  latest.current = compare
  useEffect(() => onOtherTab(() => void latest.current()), [])
  const successor = now?.operator ?? null
  function leave(): void {
    const to = router.state.location.href
    endWaiting(false)
    // An act that waited fails, and is not asked about.
    void navigate({ to: '/sign-in', search: { to }, ignoreBlocker: queries.isMutating() > 0 })
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
      attributes={keepsDialogsBelow}
    >
      <Stack>
        <Text size="sm">
          {successor !== null && (
            <>
              <bdi>{successor.name}</bdi> signed in to this browser in another tab.{' '}
            </>
          )}
          Sign in again to go on. What you typed on this page is still there, unless another operator signs in.
        </Text>
        <KeyForm act="Sign in and go on" onSignedIn={goOn} />
        {now !== null && successor !== null && (
          <Button variant="default" onClick={() => goOn(now)} {...keepsDialogs}>
            Go on as {successor.name}
          </Button>
        )}
        <Button variant="subtle" size="xs" color="gray" c="dimmed" onClick={leave} {...keepsDialogs}>
          Leave this page
        </Button>
      </Stack>
    </Modal>
  )
}
