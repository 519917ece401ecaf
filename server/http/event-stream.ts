import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream, StreamEvent } from '../core/handler.ts'

/** Answers with a stream of events, for as long as the client and the service are there. */
export type AnswerEvents = (reply: FastifyReply, stream: EventStream<unknown>) => FastifyReply

/** Times in milliseconds. */
export interface EventStreamTimes {
  /** A comment is sent this often, or proxies would take a quiet stream for a dead one. */
  readonly heartbeatMs: number
  /** How long a client may take to read the last of it when the service closes. */
  readonly lingerMs: number
}

const defaultTimes: EventStreamTimes = { heartbeatMs: 15_000, lingerMs: 1_000 }

/** Server-Sent Events (HTML 9.2); every stream ends when the app begins to close, so that none keeps it from closing. */
export function createEventStreams(
  app: FastifyInstance,
  times: EventStreamTimes = defaultTimes,
  countUnexpected: (request: FastifyRequest) => void = () => {},
): AnswerEvents {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  return (reply, stream) => {
    const { raw, request } = reply
    reply.hijack()
    const gone = new AbortController()
    raw.once('close', () => gone.abort())
    if (raw.destroyed) gone.abort()
    const ends = AbortSignal.any([closing.signal, gone.signal])
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // Or nginx would collect events before it hands them on.
      connection: 'close',
    })
    if (request.raw.method === 'HEAD') {
      raw.end()
      return reply
    }
    send(raw, stream, ends, times).catch((error: Error) => {
      // The client comes back and goes on after the last event it has; whatever it was is likely over by then.
      const operation = request.routeOptions.url
      request.log.error({ requestId: request.id, operation, err: error }, 'a stream broke off')
      countUnexpected(request)
      raw.destroy()
    })
    return reply
  }
}

async function send(
  raw: ServerResponse,
  stream: EventStream<unknown>,
  ends: AbortSignal,
  { heartbeatMs, lingerMs }: EventStreamTimes,
): Promise<void> {
  // Something at once, or a client would not know that it is listened to until the first event.
  raw.write(': open\n\n')
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n\n')
  }, heartbeatMs)
  try {
    for await (const event of stream(ends)) {
      if (ends.aborted) break
      if (!raw.write(eventText(event))) await drained(raw, ends)
    }
  } finally {
    clearInterval(heartbeat)
  }
  raw.end()
  // One that reads nothing any more must not hold up the end.
  const lingering = setTimeout(() => raw.destroy(), lingerMs)
  raw.once('close', () => clearTimeout(lingering))
}

/** Resolves when the client has read enough to be sent more, or when it is all over. */
async function drained(raw: ServerResponse, ends: AbortSignal): Promise<void> {
  await once(raw, 'drain', { signal: ends }).catch((error: unknown) => {
    if (!ends.aborted) throw error
  })
}

/** JSON has no line breaks outside of its strings, and none inside of them unescaped: one `data` line holds it. */
const eventText = ({ id, event, data }: StreamEvent<unknown>): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The query with the header `Last-Event-ID` as `lastEventId`: a browser that reconnects repeats the old query beside it. */
export function withLastEventId({ query, headers }: FastifyRequest): Record<string, unknown> {
  const lastEventId = headers['last-event-id']
  const given = query as Record<string, unknown>
  return lastEventId === undefined || lastEventId === '' ? given : { ...given, lastEventId }
}
