import type { FastifyReply } from 'fastify'
import { errors } from '../../contract/errors.ts'
import type { Document } from '../core/handler.ts'
import type { ServiceError } from '../core/service-error.ts'

const json = 'application/json; charset=utf-8'

/** `{"requestId":…,"timestamp":…}`; `requestIdOf` only lets ids through that need no escaping. */
const meta = (requestId: string, now: number): string =>
  `{"requestId":"${requestId}","timestamp":"${new Date(now).toISOString()}"}`

/** Sends a success in its envelope, or 204 without a body when data is undefined. */
export function answerSuccess(reply: FastifyReply, status: number, data: unknown, now: number): FastifyReply {
  if (data === undefined) return reply.code(204).send()
  return reply
    .code(status)
    .header('content-type', json)
    .send(`{"meta":${meta(reply.request.id, now)},"data":${JSON.stringify(data)}}`)
}

/** Sends an error in its envelope. */
export function answerRefusal(reply: FastifyReply, refusal: ServiceError, now: number): FastifyReply {
  const { retryAfterSeconds, allow } = refusal.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (allow !== undefined) reply.header('allow', allow.join(', '))
  return reply
    .code(errors[refusal.code].status)
    .header('content-type', json)
    .header('cache-control', 'no-store')
    .send(refusalBody(refusal, reply.request.id, now))
}

/** The body of an error as text; also used for answers that are written without Fastify. */
export function refusalBody(refusal: ServiceError, requestId: string, now: number): string {
  const { status, message } = errors[refusal.code]
  const { validation, details, missing } = refusal.details
  const text = missing === undefined ? message : `${message} Missing: ${missing}.`
  const error = { message: text, code: refusal.code, status, validation, details, missing }
  return `{"meta":${meta(requestId, now)},"error":${JSON.stringify(error)}}`
}

/** Sends a body without an envelope, or 304 when the client has it (RFC 9110 13.1.2). */
export function answerDocument(reply: FastifyReply, status: number, document: Document, type = json): FastifyReply {
  reply.header('cache-control', document.cacheControl)
  if (document.vary !== undefined) reply.header('vary', document.vary)
  if (document.anyOrigin) reply.header('access-control-allow-origin', '*')
  if (document.etag !== undefined) {
    reply.header('etag', document.etag)
    if (matches(reply.request.headers['if-none-match'], document.etag)) {
      // Fastify answers HEAD with the length of what is sent, which must be that of the body (RFC 9110 8.6).
      return reply.code(304).send(reply.request.method === 'HEAD' ? document.body : undefined)
    }
  }
  if (document.contentLanguage !== undefined) reply.header('content-language', document.contentLanguage)
  return reply.code(status).header('content-type', type).send(document.body)
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
