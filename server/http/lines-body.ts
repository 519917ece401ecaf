import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BodyLine } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import { readOnce } from './credentials.ts'
import { requireMediaType } from './json-body.ts'
import type { ParserRefusals } from './parser-refusals.ts'
import { readLines } from './read-lines.ts'

/** The media type of lines (NDJSON 1.0, section 3.1). */
export const linesType = 'application/x-ndjson'
/** Other names of the same. */
const linesTypes = [linesType, 'application/ndjson', 'application/jsonl']

/** What nobody wants of a body is read away for this long, so that the client gets to the end of its answer. */
export const lingerMs = 1_000

/**
 * The lines of a request body of at most so many bytes. Reading it goes on beside the answer, and no faster than lines
 * are asked for.
 *
 * @throws {ServiceError} PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, as far as the head of the request tells
 */
export type OpenLines = (request: FastifyRequest, reply: FastifyReply, maxBytes: number) => AsyncIterable<BodyLine>

/** A body that is waited for is refused with REQUEST_TIMEOUT when not a byte of it comes for `stalledMs`. */
export function createLinesBodies(watch: { parserRefusals: ParserRefusals; stalledMs: number }): OpenLines {
  return ({ raw }, reply, maxBytes) => {
    const { headers } = raw
    reply.raw.once('finish', () => discardRest(raw))
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return nothing()
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE')
    const contentType = readOnce(raw, 'content-type')
    const type = typeof contentType === 'object' ? contentType.text : undefined
    requireMediaType(linesTypes, type, headers['content-encoding'])
    watch.parserRefusals.allowTime(raw)
    return readLines(chunksOf(raw, maxBytes, watch.stalledMs))
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** Ends the request of an answer that is given: what still comes is read away for a moment, then the connection cut. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  request.resume()
  setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingerMs).unref()
}

async function* chunksOf(request: IncomingMessage, maxBytes: number, stalledMs: number): AsyncGenerator<Buffer> {
  // Whoever stops reading may still have something to say: the connection stays.
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
    // Not waited for: of a body that has stalled it ends only with the connection.
    void chunks.return?.()
  }
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  // What has arrived while the process was busy is still to be looked at: it counts.
  const timer = setTimeout(() => setImmediate(() => reject(new ServiceError('REQUEST_TIMEOUT'))), ms)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
