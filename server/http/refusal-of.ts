import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createRepeatedLines, type RepeatedLines } from '../core/repeated-lines.ts'
import { ServiceError } from '../core/service-error.ts'

/** The error to answer with; an unexpected one is logged and becomes INTERNAL_SERVER. */
export function refusalOf(error: unknown, request: FastifyRequest): ServiceError {
  const refusal = error instanceof ServiceError ? error : new ServiceError(codeOf(error))
  if (refusal.code === 'INTERNAL_SERVER') request.server.getDecorator<() => void>('countUnexpected')()
  const unexpected = refusal.code === 'INTERNAL_SERVER' ? error : refusal.cause
  if (unexpected instanceof Error) {
    // While the database is unavailable every request fails alike; one line every few seconds is logged for all.
    const counted = refusal.code === 'SERVICE_UNAVAILABLE' ? linesOf(request.server)(kindOf(unexpected)) : {}
    if (counted !== null) {
      const details = { operation: request.routeOptions.url, ...counted, err: unexpected }
      request.log.error(details, 'unexpected error')
    }
  }
  return refusal
}

const linesOfServers = new WeakMap<FastifyInstance['server'], RepeatedLines>()

function linesOf({ server }: FastifyInstance): RepeatedLines {
  const lines = linesOfServers.get(server) ?? createRepeatedLines()
  linesOfServers.set(server, lines)
  return lines
}

const kindOf = (error: Error): string =>
  `${error.constructor.name}: ${error.message}: ${error.cause instanceof Error ? error.cause.message : ''}`

function codeOf(error: unknown) {
  const { code } = error as { code?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'PAYLOAD_TOO_LARGE'
  // ECONNRESET: the client disconnected before its body had arrived.
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'ECONNRESET') return 'BAD_REQUEST'
  return 'INTERNAL_SERVER'
}
