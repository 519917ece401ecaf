import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useCan } from '../session/session.tsx'
import { ClearInbox } from './clear-inbox.tsx'
import type { Inbox } from './use-inbox.ts'

interface InboxActionsProps {
  /** undefined: all tenants are shown. */
  readonly tenantId: string | undefined
  readonly inbox: Inbox
}

export function InboxActions({ tenantId, inbox: { state, dispatch } }: InboxActionsProps) {
  const mayClear = useCan()('messages:write', tenantId)
  return (
    <>
      {mayClear && (
        <ClearInbox
          tenantId={tenantId}
          onCleared={() =>
            dispatch({ type: 'removed', stays: (one) => tenantId !== undefined && one.tenantId !== tenantId })
          }
        />
      )}
      <Button
        variant="default"
        leftSection={state.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        onClick={() => dispatch({ type: state.isPaused ? 'resumed' : 'paused' })}
      >
        {state.isPaused ? 'Continue' : 'Pause'}
      </Button>
    </>
  )
}
