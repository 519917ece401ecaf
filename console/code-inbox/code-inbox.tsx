import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { useLetterKeys } from '../parts/letter-keys.ts'
import { Found } from '../parts/lists/found.tsx'
import { Empty } from '../parts/pages/empty.tsx'
import { Page } from '../parts/pages/page.tsx'
import { PanelSkeleton } from '../parts/pages/panel-skeleton.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { heldText } from '../parts/stream/arrivals.ts'
import { ConnectionState } from '../parts/stream/connection-state.tsx'
import type { Connection } from '../parts/stream/follow-stream.ts'
import classes from './code-inbox.module.css'
import { filterByRecipient } from './filter-by-recipient.ts'
import { InboxActions } from './inbox-actions.tsx'
import { InboxFilters, useInboxFilter } from './inbox-filters.tsx'
import { inboxKeys } from './inbox-keys.ts'
import { MessageList } from './message-list.tsx'
import { NoInbox } from './no-inbox.tsx'
import { useInbox } from './use-inbox.ts'

/** The codes of a deployment outside production, as they are made. */
export function Screen(): ReactNode {
  const filter = useInboxFilter()
  const inbox = useInbox(filter.tenantId)
  const { state, dispatch, connection, reconnect } = inbox
  const recipient = useDeferredValue(filter.recipient)
  const shown = useMemo(() => filterByRecipient(state.items, recipient), [state.items, recipient])
  const page = useMemo(() => ({ items: shown, nextCursor: null }), [shown])
  const isSlow = useIsSlow(connection === 'connecting' && state.items.length === 0)
  useLetterKeys(inboxKeys)

  if (isAbsent(connection)) return <NoInbox />
  return (
    <Page
      title="Code inbox"
      about="Outside production nothing is sent. Every code arrives here, the moment it is made."
      state={<ConnectionState connection={connection} isPaused={state.isPaused} />}
      actions={<InboxActions tenantId={filter.tenantId} inbox={inbox} />}
    >
      <InboxFilters />
      {typeof connection === 'object' && <Problem error={connection.error} retry={reconnect} />}
      {state.held.length > 0 && (
        <Button variant="light" fullWidth mb="xs" onClick={() => dispatch({ type: 'resumed' })}>
          {heldText(state.held.length)} {state.held.length === 1 ? 'message' : 'messages'} arrived meanwhile: show
        </Button>
      )}
      {isSlow && (
        <div className={classes['messages']} aria-busy>
          {[1, 2, 3, 4].map((one) => (
            <PanelSkeleton key={one} lines={1} />
          ))}
        </div>
      )}
      <MessageList messages={shown} showsTenant={filter.tenantId === undefined} />
      <div role="status">
        <Found
          search={{ what: 'message', by: { recipient: filter.recipient } }}
          query={{
            ...{ data: page, isPlaceholderData: recipient !== filter.recipient },
            isFetching: connection !== 'live' || state.items.length === 0,
          }}
        />
        {shown.length === 0 && connection === 'live' && (
          <div className="panel">
            {state.items.length > 0 ? (
              <Empty title={`No message to “${recipient}”`} Icon={IconInbox}>
                Recipients are compared anywhere in their address, among the latest 500 messages.
              </Empty>
            ) : (
              <Empty title="No codes yet" Icon={IconInbox}>
                Start a password reset or a sign-in with a code, and it appears here.
              </Empty>
            )}
          </div>
        )}
      </div>
    </Page>
  )
}

/** In production the operation does not exist. */
const isAbsent = (connection: Connection): boolean =>
  typeof connection === 'object' && connection.error instanceof TenantryError && connection.error.code === 'NOT_FOUND'
