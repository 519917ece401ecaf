/** How a page hears of what happens: `live`, on the way to it, or refused. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | { readonly error: unknown }

/** What following needs of an `EventSource`. */
export interface Source {
  readonly readyState: number
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void
  close(): void
}

export interface Following<Item> {
  /** Opens the stream after the item with this id. */
  readonly open: (lastEventId: string) => Source
  /** The name of the stream's events. */
  readonly event: string
  /** The id of an item in the stream. */
  readonly idOf: (item: Item) => string
  /** The id before all items. */
  readonly none: string
  /** What is stored, oldest first: at least the latest item. Rejects as the service refuses. */
  readonly list: (signal: AbortSignal) => Promise<readonly Item[]>
  readonly onItems: (items: readonly Item[]) => void
  readonly onConnection: (connection: Connection) => void
  /** Opens the stream after an item and closes it; rejects as the service refuses. A browser does not say why it was refused. */
  readonly check: (lastEventId: string, signal: AbortSignal) => Promise<void>
  /** Whether another attempt can succeed after an error: the service did not answer, or could not. */
  readonly mayPass: (error: unknown) => boolean
  /** Milliseconds before each attempt; the last one repeats. */
  readonly delays?: readonly number[]
}

const closed = 2

/**
 * Lists what is stored and follows the stream after the last item, until the returned function is called. A browser resumes
 * a broken stream by itself. It gives up when the service answers with an error, such as during a restart: then the list is
 * read again, which says why, and the stream is opened after the last item.
 */
export function followStream<Item>(following: Following<Item>): () => void {
  const { none, idOf, onItems, onConnection, delays = [500, 1_000, 2_000, 5_000] } = following
  const ends = new AbortController()
  let lastId = none
  let attempts = 0
  let source: Source | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function receive(items: readonly Item[]): void {
    const last = items.at(-1)
    if (last === undefined) return
    lastId = idOf(last)
    onItems(items)
  }

  async function connect(): Promise<void> {
    try {
      const stored = await following.list(ends.signal)
      if (ends.signal.aborted) return
      // After a break the stream brings what is missing in order, also more than the list has.
      if (lastId === none) receive(stored)
      if (attempts > 0) await following.check(lastId, ends.signal)
      if (!ends.signal.aborted) follow()
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
    source.addEventListener(following.event, ({ data }) => receive([JSON.parse(data)]))
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
