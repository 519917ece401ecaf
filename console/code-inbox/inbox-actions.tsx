import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { admin } from '../session/admin.ts'
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
  async function clear(): Promise<void> {
    const shown = new Set([...state.items, ...state.held].map(({ id }) => id))
    await admin.clearTestingChannelMessages({ tenantId })
    // What arrived before the answer is stored.
    dispatch({ type: 'removed', stays: ({ id }) => !shown.has(id) })
  }
  return (
    <>
      {mayClear && <ClearInbox tenantId={tenantId} clear={clear} />}
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
