import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { typeName } from '../../contract/fields/messages.ts'
import { hasPrecondition, type LimitOf, maxBodyBytesOf, type Operation } from '../../contract/operation.ts'
import { operationNames } from '../../contract/operations.ts'
import { fieldMessages, validationMessage } from '../../contract/validation-messages.ts'
import type { AdminCall, PublicCall, TenantCall } from '../core/call.ts'
import type { Document, EventStream, Handler, WithConsoleToken } from '../core/handler.ts'
import type { Revisioned } from '../core/revisioned.ts'
import { invalid, ServiceError } from '../core/service-error.ts'
import type { Services } from '../services.ts'
import { answerDocument, answerSuccess } from './answer.ts'
import type { AnswerRecorder } from './answer-meter.ts'
import type { CheckServices } from './check-services.ts'
import { createCheckedCalls } from './checked-calls.ts'
import { clearConsoleCookie, setConsoleCookie } from './console/console-cookie.ts'
import { type AnswerEvents, withLastEventId } from './event-stream.ts'
import { createKeyedAnswers } from './idempotency-key.ts'
import { entityTag, readIfMatch } from './if-match.ts'
import { parseJsonBody } from './json-body.ts'
import { lastingLines } from './lasting-lines.ts'
import type { AnswerLines } from './lines-answer.ts'
import { linesType, type OpenLines } from './lines-body.ts'
import { createQueryReader } from './query-parameters.ts'
import { createRequestChecks } from './request-checks.ts'
import type { LoggedRoute } from './request-log.ts'

/** A line of `app.ts`: an operation and its handler. */
export interface Route {
  readonly operation: Operation
  readonly handler: (input: never, call: never, services: Services) => unknown
}

/**
 * One operation on one line of `app.ts`. Authentication and limit must match the declaration, or the line does not
 * compile.
 */
export const serve = <const O extends Operation>(
  _authentication: O['auth'],
  _limit: LimitOf<O>,
  operation: O,
  handler: Handler<O>,
): Route => ({ operation, handler })

/** Responses and bodies that are streamed. */
interface Streams {
  readonly answerEvents: AnswerEvents
  readonly openLines: OpenLines
  readonly answerLines: AnswerLines
}

/** What mounting uses beside the services of the handlers. */
interface MountOptions extends Streams {
  readonly checks: CheckServices
  readonly recordAnswer: AnswerRecorder
}

/**
 * Turns an operation and its handler into a route: request checks before the body is read, and again when it is late, then
 * parsing, handler, response.
 */
export function mount(
  app: FastifyInstance,
  { operation, handler }: Route,
  services: Services,
  { checks, answerEvents, openLines, answerLines, recordAnswer }: MountOptions,
): void {
  const calls = createCheckedCalls(operation, createRequestChecks(operation, checks), checks.clock, openLines)
  const parse = createParser(operation, calls.openLines)
  const answerKeyed = createKeyedAnswers(operation.path, services)
  const operationName = operationNames.get(operation)
  const run = handler as (input: unknown, call: PublicCall, services: Services) => unknown
  const handle = async (input: unknown, call: PublicCall) => {
    try {
      return await run(input, call, services)
    } catch (error) {
      if (isOfTenant(call) && error instanceof ServiceError && error.code === 'TOO_MANY_REQUESTS') {
        services.exceededLimits.note(call, operationName!)
      }
      throw error
    }
  }
  const { status, envelope, stream, bodyLines, outputLines, outputText, idempotent, revisioned, setsCookie } = operation

  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: maxBodyBytesOf(operation),
    config: { operationName } satisfies LoggedRoute as object,
    onRequest: async (request, reply) => {
      // Fastify would check the media type itself, even without a body and before its size; `createParser` does.
      if (bodyLines === undefined) delete request.raw.headers['content-type']
      else request.raw.headers['content-type'] = linesType
      await calls.check(request, reply)
    },
    onResponse: (request, reply, done) => {
      recordAnswer(request, reply)
      done()
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = await calls.complete(request, reply)
      const input = parse(request, reply)
      const answer =
        idempotent && request.headers['idempotency-key'] !== undefined
          ? await answerKeyed(request, input, call, async (keep) => handle(input, { ...call, keep }))
          : await handle(input, call)
      if (stream) return answerEvents(reply, answer as EventStream<unknown>)
      if (outputLines) {
        const lines = answer as AsyncIterable<unknown>
        if (bodyLines) return answerLines(reply, status, lines, async () => true)
        // Exports are operations of operators only.
        const mayRead = await (call as AdminCall).lastingRight()
        return answerLines(reply, status, lastingLines(lines, mayRead), mayRead)
      }
      if (envelope === false) return answerDocument(reply, status, answer as Document, outputText)
      reply.header('cache-control', 'no-store')
      if (setsCookie) {
        const { data, consoleToken } = answer as WithConsoleToken<unknown>
        reply.header('set-cookie', consoleToken === null ? clearConsoleCookie : setConsoleCookie(consoleToken))
        return answerSuccess(reply, status, data, call.now)
      }
      if (!revisioned) return answerSuccess(reply, status, answer, call.now)
      const { data, revision } = answer as Revisioned<unknown>
      return answerSuccess(reply.header('etag', entityTag(revision)), status, data, call.now)
    },
  })
}

const isOfTenant = (call: PublicCall): call is TenantCall => 'snapshot' in call

/** Parses parameters, query and body into the input of a handler. */
function createParser(operation: Operation, openLines: OpenLines) {
  const { method, params, body, bodyLines } = operation
  const takesRevision = hasPrecondition(operation)
  const parseQuery = createQueryParser(operation)
  return (request: FastifyRequest, reply: FastifyReply) => ({
    query: parseQuery(request),
    params: params && validate(params, request.params),
    body: body && validate(body, readBody(request, method)),
    expectedRevision: takesRevision ? readIfMatch(request) : undefined,
    lines: bodyLines && openLines(request, reply, maxBodyBytesOf(operation)),
  })
}

/** Parses the query. The result of an empty one, which most requests have, is always the same. */
function createQueryParser(operation: Operation): (request: FastifyRequest) => unknown {
  const { query, stream } = operation
  const read = createQueryReader(operation)
  const none = stream ? undefined : query?.safeParse({}).data
  return (request) => {
    if (none !== undefined && request.raw.url?.includes('?') === false) return none
    const given = read(request.query as Record<string, unknown>)
    return query && validate(query, stream ? withLastEventId(request, given) : given)
  }
}

function readBody(request: FastifyRequest, method: Operation['method']): unknown {
  const value = parseJsonBody(request.body as Buffer | undefined, request.raw)
  if (value === undefined) {
    if (method === 'POST') return {}
    throw invalid({ body: 'Required' })
  }
  const type = typeName(value)
  if (type !== 'object') throw invalid({ body: `Expected object, received ${type}` })
  return value
}

function validate(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { error: validationMessage })
  if (!result.success) throw invalid(fieldMessages(result.error.issues))
  return result.data
}
