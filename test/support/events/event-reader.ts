import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

/** An event as received. */
interface ReadEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape.
  readonly data: any
}

/** A client of a stream of Server-Sent Events. */
export interface EventReader {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  /** Comments so far, without the colon. */
  readonly comments: readonly string[]
  /** Takes the next events. */
  take(count: number): Promise<ReadEvent[]>
  /** Events that arrived and were not taken. */
  readonly left: readonly ReadEvent[]
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  /** Whether the stream ended, rather than broke off. */
  isWhole(): boolean
  /** Disconnects. */
  leave(): void
}

/** Connects; resolves with the head of the answer. */
export async function listen(url: string, headers: Record<string, string>): Promise<EventReader> {
  const asked = httpRequest(url, { headers, agent: false })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  asked.on('response', resolve).on('error', reject).end()
  const answer = await promise
  const ended = new Promise<void>((end) => answer.once('close', end))
  const comments: string[] = []
  const left: ReadEvent[] = []
  let waiting = { count: 0, resolve: (_events: ReadEvent[]) => {} }
  let fields: Record<string, string> = {}

  function check(): void {
    if (waiting.count > 0 && left.length >= waiting.count) {
      const { count, resolve: give } = waiting
      waiting = { ...waiting, count: 0 }
      give(left.splice(0, count))
    }
  }
  function readLine(line: string): void {
    if (line.startsWith(':')) comments.push(line.slice(1))
    else if (line !== '') {
      const [name = '', ...value] = line.split(': ')
      fields[name] = value.join(': ')
    } else {
      const { id = '', event = '', data } = fields
      fields = {}
      if (data === undefined) return
      left.push({ id, event, data: JSON.parse(data) })
      check()
    }
  }
  let rest = ''
  answer.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  })
  answer.on('error', () => {}) // It was left.
  return {
    status: answer.statusCode,
    headers: answer.headers,
    comments,
    left,
    ended,
    take(count) {
      return new Promise((give) => {
        waiting = { count, resolve: give }
        check()
      })
    },
    isWhole: () => answer.complete,
    leave: () => asked.destroy(),
  }
}
