import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { mayPass } from '../../queries.ts'
import { sessionQuery } from '../../session/session.tsx'
import { checkStream } from './check-stream.ts'
import { type Connection, type Following, followStream } from './follow-stream.ts'

/** What is followed; see `followStream`. */
export interface Stream<Item> extends Pick<Following<Item>, 'event' | 'idOf' | 'none' | 'list'> {
  /** Names what is followed: another one ends the stream before. null: nothing is followed. */
  readonly key: string | null
  /** @param lastEventId the item after which the stream begins */
  readonly urlOf: (lastEventId: string) => string
  /** Items in the order of arrival; may be known already. */
  readonly onItems: (items: readonly Item[]) => void
}

interface StreamState {
  readonly connection: Connection
  /** Connects again after an error. */
  readonly reconnect: () => void
}

/** Arrivals of this time render together. */
const togetherMs = 40

/** Follows a stream of the API with the session's cookie while the component is shown. */
export function useStream<Item>(stream: Stream<Item>): StreamState {
  const [connection, setConnection] = useState<Connection>('connecting')
  const [attempt, setAttempt] = useState(0)
  const reconnect = useCallback(() => setAttempt((count) => count + 1), [])
  const latest = useRef(stream)
  latest.current = stream

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows the same stream
  useEffect(() => {
    if (stream.key === null) return
    const { event, idOf, none, list, urlOf } = latest.current
    let arrived: Item[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = followStream<Item>({
      ...{ event, idOf, none, list, mayPass },
      open: (lastEventId) => new EventSource(urlOf(lastEventId)),
      check: (lastEventId, signal) => checkStream(urlOf(lastEventId), signal),
      onItems(items) {
        arrived.push(...items)
        timer ??= setTimeout(() => {
          latest.current.onItems(arrived)
          arrived = []
          timer = undefined
        }, togetherMs)
      },
      onConnection: setConnection,
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [stream.key, attempt])

  useReconnectAfterSignIn(typeof connection === 'object', reconnect)
  return { connection, reconnect }
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
