import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../service-error.ts'

/** The refusal that tells of an error; what nobody expected is logged and told as INTERNAL_SERVER. */
export function refusalOf(error: unknown, request: FastifyRequest): ServiceError {
  const refusal = error instanceof ServiceError ? error : new ServiceError(codeOf(error))
  if (refusal.code === 'INTERNAL_SERVER') request.server.getDecorator<() => void>('noteUnexpected')()
  const unexpected = refusal.code === 'INTERNAL_SERVER' ? error : refusal.cause
  if (unexpected instanceof Error) {
    request.log.error(
      { requestId: request.id, operation: request.routeOptions.url, err: unexpected },
      'unexpected error',
    )
  }
  return refusal
}

function codeOf(error: unknown) {
  const { code } = error as { code?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'PAYLOAD_TOO_LARGE'
  // ECONNRESET: the client went away before its body had arrived, so nobody reads this.
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || code === 'ECONNRESET') return 'BAD_REQUEST'
  return 'INTERNAL_SERVER'
}
