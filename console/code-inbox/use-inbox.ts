import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { mayPass } from '../queries.ts'
import { admin } from '../session/admin.ts'
import { sessionQuery } from '../session/session.tsx'
import { type Connection, followInbox } from './follow-inbox.ts'
import { emptyInbox, type InboxAction, type InboxState, inboxReducer } from './inbox-state.ts'
import type { TestingChannelMessage } from './testing-channel-message.ts'

interface Inbox {
  readonly state: InboxState
  readonly dispatch: (action: InboxAction) => void
  readonly connection: Connection
  /** Connects again after an error. */
  readonly reconnect: () => void
}

/** Arrivals of this time render together. */
const togetherMs = 40

/** The messages of a tenant, or of all, as they arrive. */
export function useInbox(tenantId: string | undefined): Inbox {
  const [state, dispatch] = useReducer(inboxReducer, emptyInbox)
  const [connection, setConnection] = useState<Connection>('connecting')
  const [attempt, setAttempt] = useState(0)
  const reconnect = useCallback(() => setAttempt((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows the same messages
  useEffect(() => {
    let arrived: TestingChannelMessage[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = followInbox({
      open: (lastEventId) => new EventSource(streamUrl(tenantId, lastEventId)),
      list: async (signal) => (await admin.listTestingChannelMessages({ tenantId }, { signal })).messages,
      onMessages(messages) {
        arrived.push(...messages)
        timer ??= setTimeout(() => {
          dispatch({ type: 'arrived', messages: arrived })
          arrived = []
          timer = undefined
        }, togetherMs)
      },
      onConnection: setConnection,
      mayPass,
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [tenantId, attempt])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages of another tenant are not of this one
  useEffect(() => () => dispatch({ type: 'reset' }), [tenantId])

  useReconnectAfterSignIn(typeof connection === 'object', reconnect)
  return { state, dispatch, connection, reconnect }
}

/** A session that had expired began again: in a dialog over this page. */
function useReconnectAfterSignIn(isRefused: boolean, reconnect: () => void): void {
  const { dataUpdatedAt, data } = useQuery(sessionQuery)
  const isSignedIn = data?.operator != null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another session connects again
  useEffect(() => {
    if (isRefused && isSignedIn) reconnect()
  }, [dataUpdatedAt])
}

function streamUrl(tenantId: string | undefined, lastEventId: string): string {
  const query = new URLSearchParams({ ...(tenantId !== undefined && { tenantId }), lastEventId })
  return `/admin/testing-channel/stream?${query}`
}
