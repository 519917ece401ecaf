import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { EndRequest } from './request-log.ts'

/** The outcome of a request: success, or the code of the error. */
export type Outcome = 'OK' | ErrorCode

/** Records one answer when all of it is handed to the network; must not throw. */
export type RecordAnswer = (outcome: Outcome, seconds: number) => void

/** Measures the answers of an HTTP server. */
export interface AnswerMeter {
  /** The recorder of an operation, called once per route; null: requests that match no operation. */
  of(operation: Operation | null): RecordAnswer
  /** Counts an unexpected error. */
  countUnexpected(): void
}

/** Measures nothing. */
export const noMeter: AnswerMeter = { of: () => () => {}, countUnexpected: () => {} }

/** Called once per request when all of its answer is handed to the network; not when the client left before that. */
export type AnswerRecorder = (request: FastifyRequest, reply: FastifyReply) => void

/** Records an answer in the metrics and the request log. */
export function answerRecorder(record: RecordAnswer, endRequest: EndRequest | undefined): AnswerRecorder {
  return (request, reply) => {
    const refusedAs = request.getDecorator<ErrorCode | null>('refusedAs')
    const ms = reply.elapsedTime
    record(reply.statusCode < 400 ? 'OK' : (refusedAs ?? 'INTERNAL_SERVER'), ms / 1000)
    endRequest?.(request, reply, refusedAs, ms)
  }
}
