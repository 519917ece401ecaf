import type { TestingChannelMessage } from './testing-channel-message.ts'

/** How the inbox hears of messages: `live`, on the way to it, or refused. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | { readonly error: unknown }

/** What following needs of an `EventSource`. */
export interface Source {
  readonly readyState: number
  addEventListener(type: 'open' | 'error' | 'message', listener: (event: MessageEvent<string>) => void): void
  close(): void
}

export interface Following {
  /** Opens the stream after a message; `none` if there is none. */
  readonly open: (lastEventId: string) => Source
  /** The stored messages, oldest first; rejects as the service refuses. */
  readonly list: (signal: AbortSignal) => Promise<readonly TestingChannelMessage[]>
  readonly onMessages: (messages: readonly TestingChannelMessage[]) => void
  readonly onConnection: (connection: Connection) => void
  /** Whether another attempt can succeed after an error: the service did not answer, or could not. */
  readonly mayPass: (error: unknown) => boolean
  /** Milliseconds before each attempt; the last one repeats. */
  readonly delays?: readonly number[]
}

const closed = 2

/**
 * Lists the stored messages and follows the stream after the last one, until the returned function is called. A browser
 * resumes a broken stream by itself. It gives up when the service answers with an error, such as during a restart: then the
 * list is read again, which says why, and the stream is opened after the last message.
 */
export function followInbox(following: Following): () => void {
  const { onMessages, onConnection, delays = [500, 1_000, 2_000, 5_000] } = following
  const ends = new AbortController()
  let lastId = 'none'
  let attempts = 0
  let source: Source | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function receive(messages: readonly TestingChannelMessage[]): void {
    lastId = messages.at(-1)?.id ?? lastId
    if (messages.length > 0) onMessages(messages)
  }

  async function connect(): Promise<void> {
    try {
      const stored = await following.list(ends.signal)
      if (ends.signal.aborted) return
      // After a break the stream brings what is missing in order, also more than the list has.
      if (lastId === 'none') receive(stored)
      follow()
    } catch (error) {
      if (!ends.signal.aborted) retry(error)
    }
  }

  function follow(): void {
    source = following.open(lastId)
    source.addEventListener('open', () => {
      attempts = 0
      onConnection('live')
    })
    source.addEventListener('error', () => {
      if (source?.readyState === closed) retry()
      else onConnection('reconnecting')
    })
    source.addEventListener('message', ({ data }) => receive([JSON.parse(data)]))
  }

  function retry(error?: unknown): void {
    source?.close()
    if (error !== undefined && !following.mayPass(error)) {
      onConnection({ error })
      return
    }
    onConnection('reconnecting')
    timer = setTimeout(connect, delays[Math.min(attempts, delays.length - 1)])
    attempts++
  }

  onConnection('connecting')
  void connect()
  return () => {
    ends.abort()
    clearTimeout(timer)
    source?.close()
  }
}
