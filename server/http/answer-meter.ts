import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'

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

/** Tells of an answer that has ended. A client that went away before the end of its answer is not told of. */
export const answerRecorder = (record: RecordAnswer) => (request: FastifyRequest, reply: FastifyReply) => {
  const refusedAs = reply.statusCode < 400 ? 'OK' : request.getDecorator<ErrorCode | null>('refusedAs')
  record(refusedAs ?? 'INTERNAL_SERVER', reply.elapsedTime / 1000)
}
