import { useEffect, useReducer } from 'react'
import { type Arrivals, type ArrivalsAction, arrivalsReducer, noArrivals } from '../parts/stream/arrivals.ts'
import type { Connection } from '../parts/stream/follow-stream.ts'
import { useStream } from '../parts/stream/use-stream.ts'
import { admin } from '../session/admin.ts'
import type { TestingChannelMessage } from './testing-channel-message.ts'

export interface Inbox {
  readonly state: Arrivals<TestingChannelMessage>
  readonly dispatch: (action: ArrivalsAction<TestingChannelMessage>) => void
  readonly connection: Connection
  /** Connects again after an error. */
  readonly reconnect: () => void
}

/** The messages of a tenant, or of all, as they arrive. */
export function useInbox(tenantId: string | undefined): Inbox {
  const [state, dispatch] = useReducer(arrivalsReducer<TestingChannelMessage>, noArrivals)
  const following = useStream<TestingChannelMessage>({
    key: tenantId ?? '',
    event: 'message',
    idOf: ({ id }) => id,
    none: 'none',
    list: async (signal) => (await admin.listTestingChannelMessages({ tenantId }, { signal })).messages,
    urlOf: (lastEventId) =>
      `/admin/testing-channel/stream?${new URLSearchParams({ ...(tenantId !== undefined && { tenantId }), lastEventId })}`,
    onItems: (items) => dispatch({ type: 'arrived', items }),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages of another tenant are not of this one
  useEffect(() => () => dispatch({ type: 'reset' }), [tenantId])
  return { state, dispatch, ...following }
}
