import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream, StreamEvent } from '../core/handler.ts'
import { drained } from './drained.ts'

/** Answers with a stream of events until the client leaves or the service closes. */
export type AnswerEvents = (reply: FastifyReply, stream: EventStream<unknown>) => FastifyReply

/** Times in milliseconds. */
interface EventStreamTimes {
  /** Interval of comments, which keep proxies from closing a quiet stream. */
  readonly heartbeatMs: number
  /** How long a client may take to read the rest when the service closes. */
  readonly lingerMs: number
}

/** How long a browser waits before it opens a broken stream again. Its default is three seconds or more. */
const reconnectMs = 1_000

const defaultTimes: EventStreamTimes = { heartbeatMs: 15_000, lingerMs: 1_000 }

/** Server-Sent Events (HTML 9.2). Streams end when the app begins to close, which would otherwise wait for them. */
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
      'x-accel-buffering': 'no', // nginx would buffer events.
      connection: 'close',
    })
    if (request.raw.method === 'HEAD') {
      raw.end()
      return reply
    }
    send(raw, stream, ends, times.heartbeatMs)
      .catch((error: Error) => {
        const operation = request.routeOptions.url
        request.log.error({ operation, err: error }, 'event stream failed; connection closed')
        countUnexpected(request)
      })
      .finally(() => end(raw, times.lingerMs))
    return reply
  }
}

async function send(
  raw: ServerResponse,
  stream: EventStream<unknown>,
  ends: AbortSignal,
  heartbeatMs: number,
): Promise<void> {
  // The headers are only sent with the first bytes of the body.
  raw.write(`: open\nretry: ${reconnectMs}\n\n`)
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n\n')
  }, heartbeatMs)
  try {
    for await (const event of stream.events(ends)) {
      if (ends.aborted) break
      if (!raw.write(eventText(event)) && !(await drained(raw, ends, stream.mayRead))) break
    }
  } finally {
    clearInterval(heartbeat)
  }
}

/**
 * Sends what is written and the final chunk, also after a failure: clients discard what they have not read yet of a response
 * that breaks off, and would ask for the same events again. After either they reconnect and continue after their last event.
 */
function end(raw: ServerResponse, lingerMs: number): void {
  raw.end()
  // A client that stopped reading must not delay shutdown.
  const lingering = setTimeout(() => raw.destroy(), lingerMs)
  raw.once('close', () => clearTimeout(lingering))
}

/** One `data` line is enough: `JSON.stringify` writes no line breaks. */
const eventText = ({ id, event, data }: StreamEvent<unknown>): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The query with `Last-Event-ID` as `lastEventId`; it takes precedence, because a reconnecting browser repeats the query. */
export function withLastEventId({ headers }: FastifyRequest, given: Record<string, unknown>): Record<string, unknown> {
  const lastEventId = headers['last-event-id']
  return lastEventId === undefined || lastEventId === '' ? given : { ...given, lastEventId }
}
