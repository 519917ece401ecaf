import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errors } from '../../contract/errors.ts'

/** Which requests get a line in the log: all, none, or those answered with a status of 500 or above. */
export type RequestLogMode = 'on' | 'off' | 'errors'

/** Where the lines go, and which. */
export interface RequestLogSettings {
  readonly mode: RequestLogMode
  /** Takes whole lines, each with its newline. */
  write(lines: string): void
}

/** A request that has not been answered yet, with its caller as far as known. */
interface Entry {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  tenantId: string | null
  userId: string | null
}

type Logged = FastifyRequest & { logEntry: Entry | null }

/** Writes one JSON line per request, when its answer has ended or its connection has closed. */
export interface RequestLog {
  begin(request: FastifyRequest, reply: FastifyReply): void
  /** @param operation the operation's name in the contract; null when no operation has this method and path */
  end(request: FastifyRequest, operation: string | null): void
  /** Writes the line of a refusal by the HTTP parser or the router, which have only the id in the answer. */
  recordEarlyRefusal(requestId: string, code: ErrorCode): void
  /** Writes what is buffered. */
  flush(): void
}

/** Tells the request log who calls; does nothing when it is off. */
export function recordCaller(request: FastifyRequest, tenantId: string, userId: string | null): void {
  const { logEntry } = request as Logged
  if (logEntry === null) return
  logEntry.tenantId = tenantId
  logEntry.userId = userId
}

/** Lines wait this long at most, so that one write takes many; fewer wait when they are this long in characters. */
const bufferedMs = 50
const mostBuffered = 32_768

/** Ids, names and codes of our own: nothing in them needs escaping. */
const text = (value: string | null): string => (value === null ? 'null' : `"${value}"`)

/**
 * Lines have the form of the logger's own, at level info whatever `LOG_LEVEL` is, and nothing in them is free text from
 * the client. They are put together by hand and written together every 50 ms: through the logger they would
 * cost a fifth of the fastest operation.
 * @returns null when the mode is `off`
 */
export function createRequestLog({ mode, write }: RequestLogSettings): RequestLog | null {
  if (mode === 'off') return null
  const inFlight = new WeakMap<Socket, Set<Entry>>()
  const source = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`
  let buffered = ''

  function flush(): void {
    if (buffered === '') return
    const lines = buffered
    buffered = ''
    write(lines)
  }

  /**
   * @param status null when the connection closed before the answer began
   * @param ms null when unknown
   */
  function add(
    id: string,
    operation: string | null,
    { tenantId, userId }: Pick<Entry, 'tenantId' | 'userId'>,
    status: number | null,
    code: ErrorCode | null,
    ms: number | null,
    isCutOff = false,
  ): void {
    if (mode === 'errors' && !(status !== null && status >= 500) && !(code !== null && errors[code].status >= 500))
      return
    if (buffered === '') setTimeout(flush, bufferedMs).unref()
    else if (buffered.length > mostBuffered) flush()
    buffered +=
      `{"level":30,"time":${Date.now()},${source},"requestId":"${id}","operation":${text(operation)},` +
      `"tenantId":${text(tenantId)},"userId":${text(userId)},"status":${status},"code":${text(code)},` +
      `"ms":${ms === null ? null : Math.round(ms * 10) / 10}${isCutOff ? ',"cutOff":true' : ''},"msg":"request"}\n`
  }

  function entriesOf(socket: Socket): Set<Entry> {
    const known = inFlight.get(socket)
    if (known !== undefined) return known
    const entries = new Set<Entry>()
    inFlight.set(socket, entries)
    socket.once('close', () => {
      for (const { request } of entries) end(request, operationOf(request), true)
    })
    return entries
  }

  function end(request: FastifyRequest, operation: string | null, isCutOff = false): void {
    const { logEntry } = request as Logged
    if (logEntry === null || !inFlight.get(request.raw.socket)?.delete(logEntry)) return
    const { raw, elapsedTime } = logEntry.reply
    const status = isCutOff && !raw.headersSent ? null : raw.statusCode
    add(request.id, operation, logEntry, status, request.getDecorator('refusedAs'), elapsedTime, isCutOff)
  }

  return {
    begin(request, reply) {
      const entry: Entry = { request, reply, tenantId: null, userId: null }
      ;(request as Logged).logEntry = entry
      entriesOf(request.raw.socket).add(entry)
    },
    end: (request, operation) => end(request, operation),
    recordEarlyRefusal: (id, code) => add(id, null, { tenantId: null, userId: null }, errors[code].status, code, null),
    flush,
  }
}

/** What `app.route` is given as `config`. */
export interface LoggedRoute {
  readonly operationName?: string | undefined
}

const operationOf = (request: FastifyRequest): string | null =>
  ((request.routeOptions.config ?? {}) as LoggedRoute).operationName ?? null
