import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { EndRequest } from './request-log.ts'

/** How an answer came out: well, or as a refusal. */
export type Outcome = 'OK' | ErrorCode

/** Told of one answer, once all of it is handed to the network; must not throw. */
export type RecordAnswer = (outcome: Outcome, seconds: number) => void

/** Measures the service from its door. */
export interface AnswerMeter {
  /** What is to be told of the answers of an operation; null where there is none of that path and method. Asked once. */
  of(operation: Operation | null): RecordAnswer
  /** Told of every error that nobody expected. */
  countUnexpected(): void
}

/** Where nobody measures. */
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
