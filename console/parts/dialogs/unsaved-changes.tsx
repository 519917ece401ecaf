import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { keepsDialogs, keepsDialogsBelow } from './keeps-dialogs.ts'

/** A navigation that waits for an answer; its members are undefined while there is none. */
interface Leaving {
  readonly isAsked: boolean
  readonly stay: (() => void) | undefined
  readonly leave: (() => void) | undefined
}

/** What follows when an act that ran when it was asked has succeeded. */
type Afterwards = 'leave' | 'stay'

/** What is asked, where it is not about changes. */
interface Question {
  readonly title?: string
  /** What is lost. */
  readonly loss?: string
}

interface UnsavedChangesProps extends Question {
  readonly isChanged: boolean
  readonly afterwards?: Afterwards
}

/** Asks before this screen is left while `isChanged`, also before the tab is closed. Put it once into a screen with a form. */
export function UnsavedChanges({ isChanged, afterwards, ...question }: UnsavedChangesProps) {
  return <LeaveQuestion leaving={useLeaving(isChanged, afterwards)} {...question} />
}

/** Holds back what leaves this screen while `isAtRisk`, until `LeaveQuestion` is answered. */
export function useLeaving(isAtRisk: boolean, afterwards: Afterwards = 'leave'): Leaving {
  const router = useRouter()
  const { pathname } = useLocation()
  const { status, reset, proceed } = useBlocker({
    shouldBlockFn: ({ current, next }) => isAtRisk && current.pathname !== next.pathname,
    enableBeforeUnload: () => isAtRisk,
    withResolver: true,
  })
  const settle = afterwards === 'leave' ? proceed : reset
  useEffect(() => {
    if (!isAtRisk) settle?.()
  }, [isAtRisk, settle])
  const latest = useRef(settle)
  latest.current = settle
  // The form is closed; another screen leaves nothing to settle.
  useEffect(() => () => void (router.state.location.pathname === pathname && latest.current?.()), [router, pathname])
  return { isAsked: status === 'blocked', stay: reset, leave: proceed }
}

export function LeaveQuestion({
  leaving: { isAsked, stay, leave },
  title = 'Leave without saving?',
  loss = 'What you changed is not saved.',
}: Question & { readonly leaving: Leaving }) {
  return (
    <Modal
      opened={isAsked}
      onClose={() => stay?.()}
      title={<Text fw={650}>{title}</Text>}
      // Above a dialog that is open over the changes, below the one of an ended session.
      zIndex={900}
      // Escape answers the question alone.
      attributes={keepsDialogsBelow}
      onKeyDown={({ key }) => key === 'Escape' && stay?.()}
    >
      <Text size="sm" mb="md">
        {loss}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={stay} data-autofocus {...keepsDialogs}>
          Stay
        </Button>
        <Button color="red.8" onClick={leave} {...keepsDialogs}>
          Leave
        </Button>
      </Group>
    </Modal>
  )
}
