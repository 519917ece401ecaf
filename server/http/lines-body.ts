import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyLine } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import { requireMediaType } from './json-body.ts'
import type { ParserRefusals } from './parser-refusals.ts'
import { readLines } from './read-lines.ts'

/** The media type of lines (NDJSON 1.0, section 3.1). */
export const linesType = 'application/x-ndjson'
/** Its other names. */
const linesTypes = [linesType, 'application/ndjson', 'application/jsonl']

/** The rest of an unwanted body is discarded for this long, so that the client can read its answer. */
export const lingerMs = 1_000

/**
 * The lines of a request body of at most `maxBytes`, read while the answer is sent and with backpressure.
 *
 * @throws {ServiceError} PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, when the request's headers show it
 */
export type OpenLines = (request: FastifyRequest, reply: FastifyReply, maxBytes: number) => AsyncIterable<BodyLine>

/** A body of which no byte arrives for `stalledMs` is refused with REQUEST_TIMEOUT. */
export function createLinesBodies(watch: { parserRefusals: ParserRefusals; stalledMs: number }): OpenLines {
  return ({ raw }, reply, maxBytes) => {
    const { headers } = raw
    reply.raw.once('finish', () => discardRest(raw))
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return nothing()
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE')
    requireMediaType(linesTypes, raw)
    watch.parserRefusals.allowTime(raw)
    return readLines(chunksOf(raw, maxBytes, watch.stalledMs))
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** After the answer, discards the rest of the body for a moment and then closes the connection. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  request.resume()
  setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingerMs).unref()
}

async function* chunksOf(request: IncomingMessage, maxBytes: number, stalledMs: number): AsyncGenerator<Buffer> {
  // The answer may not be sent yet when reading stops.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  let received = 0
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), stalledMs)
      if (done) return
      received += value.length
      if (received > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE')
      yield value
    }
  } finally {
    // Not awaited: with a stalled body it only resolves when the connection closes.
    void chunks.return?.()
  }
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  // Timers run before sockets are read: data that arrived while the process was busy counts.
  const timer = setTimeout(() => setImmediate(() => reject(new ServiceError('REQUEST_TIMEOUT'))), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
