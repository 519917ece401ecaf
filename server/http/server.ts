import type { Socket } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { operationNames } from '../../contract/operations.ts'
import type { Clock } from '../core/clock.ts'
import { ulid } from '../core/ids.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Services } from '../services.ts'
import { answerRefusal } from './answer.ts'
import { type AnswerMeter, answerRecorder, noMeter } from './answer-meter.ts'
import type { CheckServices } from './check-services.ts'
import { watchConnections } from './connections.ts'
import { answerPreflight, isPreflight } from './cors.ts'
import { readOnce } from './credentials.ts'
import { createEventStreams } from './event-stream.ts'
import { createLinesAnswers } from './lines-answer.ts'
import { createLinesBodies, linesType } from './lines-body.ts'
import { mount, type Route } from './mount.ts'
import { createParserRefusals, type ParserRefusals } from './parser-refusals.ts'
import { createPathTable } from './path-table.ts'
import { hasEncodedUnreserved, isEncodedScreen, pathOf } from './percent-encoding.ts'
import { refusalOf } from './refusal-of.ts'
import type { RequestLog } from './request-log.ts'
import { answerStartPage, asksForStartPage } from './start-page.ts'

/** Milliseconds a request may take to arrive (threat A24); for a body of lines, from one byte to the next. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkIntervalMs: number
  /** How long a client may leave an answer of lines unread before it is disconnected; 60,000 when absent. */
  readonly unreadMs?: number
}

/** No operation has this path: the request gets the answer of an unknown one. */
const unknownPath = '/*'

/** The console answers its page, which reads the address itself. */
const anyScreen = '/console/-'

const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 20_000, checkIntervalMs: 1_000 }

/** The routes of an HTTP server and what it needs to serve them. */
export interface HttpServerOptions extends CheckServices {
  /** Passed to every handler. */
  readonly services: Services
  readonly routes: readonly Route[]
  readonly logger: FastifyBaseLogger
  readonly timeouts?: Timeouts
  readonly meter?: AnswerMeter
  /** Aborted when shutdown begins: from then on every answer closes its connection. */
  readonly stopping: AbortSignal
  /** No request is logged when absent or null. */
  readonly requestLog?: RequestLog | null
  /** What `GET /` answers browsers; without it, `/` is an unknown path like any other. */
  readonly startPage?: string
}

/** The HTTP server. Every answer has the same form, including those to requests that no route or parser accepts. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { clock, routes, timeouts = defaultTimeouts, meter = noMeter, stopping } = options
  const { requestLog = null, startPage } = options
  const parserRefusals = createParserRefusals(clock, (id, code) => requestLog?.recordEarlyRefusal(id, code))
  const paths = createPathTable(routes.map(({ operation }) => operation))
  const pages = createPathTable()

  const app = createFastify(options, parserRefusals)
  const recordUnmatched = answerRecorder(meter.of(null), requestLog?.endOf(null))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // A body of lines is read by its handler.
  app.addContentTypeParser(linesType, (_request, _body, done) => done(null))
  app.decorateRequest('checked', null)
  app.decorateRequest('refusedAs', null)
  app.decorateRequest('openRequest', null)
  app.decorate('countUnexpected', meter.countUnexpected)
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request)
    request.setDecorator('refusedAs', refusal.code)
    return answerRefusal(reply, refusal, clock.now())
  })

  // During shutdown every answer closes its connection, because shutdown waits for open connections.
  const connections = watchConnections(app.server)
  stopping.addEventListener('abort', connections.closeAfterAnswers)
  app.addHook('preClose', connections.stopListening)

  app.addHook('onRequest', async (request, reply) => {
    requestLog?.begin(request, reply)
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    parserRefusals.trackAnswer(request.raw.socket, reply.raw)
    if (connections.held !== null) await connections.held
    const host = readOnce(request.raw, 'host')
    if (host === 'repeated' || (host === 'missing' && request.raw.httpVersion === '1.1'))
      throw new ServiceError('BAD_REQUEST')
    if (!request.is404) return
    reply.raw.once('finish', () => recordUnmatched(request, reply))
    if (startPage !== undefined && asksForStartPage(request)) return answerStartPage(reply, startPage)
    const path = pathOf(request.url)
    const methods = paths.methodsOf(path)
    if (methods.length > 0 && isPreflight(request)) return answerPreflight(reply, methods)
    const allow = methods.length > 0 ? methods : pages.methodsOf(path)
    throw allow.length > 0 ? new ServiceError('METHOD_NOT_ALLOWED', { allow }) : new ServiceError('NOT_FOUND')
  })

  // An expectation other than 100-continue may be ignored (RFC 9110 10.1.1); Node's 417 has no envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    parserRefusals.write(socket, '404 Not Found', new ServiceError('NOT_FOUND'))
  })

  const streams = {
    answerEvents: createEventStreams(app, undefined, (request) => {
      request.setDecorator('refusedAs', 'INTERNAL_SERVER')
      meter.countUnexpected()
    }),
    openLines: createLinesBodies({ parserRefusals, stalledMs: timeouts.requestMs }),
    answerLines: createLinesAnswers(app, { clock, unreadMs: timeouts.unreadMs ?? 60_000 }),
  }
  for (const route of routes) {
    const name = operationNames.get(route.operation) ?? null
    const recordAnswer = answerRecorder(meter.of(route.operation), requestLog?.endOf(name))
    mount(app, route, options.services, { checks: options, ...streams, recordAnswer })
  }
  // What is mounted from here on are pages: the console and the documentation.
  app.addHook('onRoute', (page) => {
    pages.add({ method: 'GET', path: page.url })
    page.onResponse = (request, reply, done) => {
      recordUnmatched(request, reply)
      done()
    }
  })
  return app
}

/** Fastify without its own logging, schemas and answers to errors. */
function createFastify(
  { clock, logger, timeouts = defaultTimeouts, requestLog }: HttpServerOptions,
  parserRefusals: ParserRefusals,
): FastifyInstance {
  return Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], clock),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node would refuse a request without Host, and without the envelope.
      requireHostHeader: false,
    },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => (isEncodedScreen(url) ? anyScreen : hasEncodedUnreserved(url) ? unknownPath : url),
    frameworkErrors: (_error, request, reply) => {
      requestLog?.recordEarlyRefusal(request.id, 'BAD_REQUEST')
      reply.header('x-request-id', request.id)
      answerRefusal(reply, new ServiceError('BAD_REQUEST'), clock.now())
    },
    clientErrorHandler: parserRefusals.answer,
    schemaController: { compilersFactory: { buildValidator: noRouteSchemas, buildSerializer: noRouteSchemas } },
  })
}

/**
 * Operations are validated by their declarations, so no route has a schema of Fastify. Its own compilers would load 110
 * modules at startup.
 */
function noRouteSchemas(): never {
  throw new Error('a route has a Fastify schema; declare inputs and outputs in contract/')
}

/** The caller's id when it has this form, otherwise a new one. */
function requestIdOf(sent: string | string[] | undefined, clock: Clock): string {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(sent) ? sent : ulid(clock.now())
}
