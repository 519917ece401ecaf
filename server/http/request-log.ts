import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errors } from '../../contract/errors.ts'

/** Which requests have a line in the log: all, none, or those with a status of 500 or above. */
export type RequestLogMode = 'on' | 'off' | 'errors'

/** Where the lines go, and which. */
interface RequestLogSettings {
  readonly mode: RequestLogMode
  /** Takes complete lines in ASCII, each with its newline; the bytes change after it returns. */
  write(lines: Buffer): void
}

/** A request without an answer yet; its caller as far as known. */
interface OpenRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  tenantId: string | null
  userId: string | null
  /** Another open request of the same connection (pipelining). */
  next: OpenRequest | null
}

type Logged = FastifyRequest & { openRequest: OpenRequest | null }

const firstOpen = Symbol('first open request')
type LoggedSocket = Socket & { [firstOpen]?: OpenRequest | null }

/** Writes the line of a request whose answer is complete. @param ms its duration */
export type EndRequest = (request: FastifyRequest, reply: FastifyReply, code: ErrorCode | null, ms: number) => void

/** Writes one JSON line per request, when its answer is complete or its connection closed. */
export interface RequestLog {
  begin(request: FastifyRequest, reply: FastifyReply): void
  /** @param operation its name in the contract; null when no operation has this method and path */
  endOf(operation: string | null): EndRequest
  /** Writes the line of a refusal by the HTTP parser or the router, of which only the request id is known. */
  recordEarlyRefusal(requestId: string, code: ErrorCode): void
  /** Writes the buffered lines. */
  flush(): void
}

/** Adds the caller to the request's line; no effect when the log is off. */
export function recordCaller(request: FastifyRequest, tenantId: string, userId: string | null): void {
  const { openRequest } = request as Logged
  if (openRequest === null) return
  openRequest.tenantId = tenantId
  openRequest.userId = userId
}

/** Lines are buffered for this long at most, or until they have this many bytes. */
const bufferedMs = 50
const mostBuffered = 65_536
/** Longer than any line: hosts have at most 255 characters in their name, ids 64, and every other value is shorter. */
const longestLine = 4_096

const asciiJson = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Values are ids, names and codes of the service: none needs escaping. */
const quoted = (value: string | null): string => (value === null ? 'null' : `"${value}"`)

/** Tenths of a millisecond as text. Formatting a fraction would take longer than the rest of the line. */
const tenthTexts = Array.from({ length: 1_000 }, (_, tenths) => String(tenths / 10))
const msText = (ms: number): string => {
  const tenths = Math.round(ms * 10)
  return tenthTexts[tenths] ?? String(tenths / 10)
}

/**
 * Lines have the logger's format, at level info whatever `LOG_LEVEL` is, and no text from the client. A line is
 * concatenated from five parts, most of them formatted once, and copied into a buffer at once, because parts that wait
 * would be moved by the garbage collector: through the logger, a line would cost a fifth of the fastest operation.
 * @returns null when the mode is `off`
 */
export function createRequestLog({ mode, write }: RequestLogSettings): RequestLog | null {
  return mode === 'off' ? null : new BufferedRequestLog(mode === 'errors', write)
}

/** The part of a line between its request id and its duration, which most requests share with the one before. */
class MiddleText {
  readonly #operation: string
  #tenantId: string | null = null
  #userId: string | null = null
  #status: number | null = null
  #code: ErrorCode | null = null
  #text = ''

  constructor(operation: string | null) {
    this.#operation = `","operation":${quoted(operation)},"tenantId":`
  }

  of(tenantId: string | null, userId: string | null, status: number | null, code: ErrorCode | null): string {
    const isSame = this.#tenantId === tenantId && this.#userId === userId
    if (isSame && this.#status === status && this.#code === code && this.#text !== '') return this.#text
    this.#tenantId = tenantId
    this.#userId = userId
    this.#status = status
    this.#code = code
    const outcome = `,"status":${status},"code":${quoted(code)},"ms":`
    this.#text = `${this.#operation}${quoted(tenantId)},"userId":${quoted(userId)}${outcome}`
    return this.#text
  }
}

class BufferedRequestLog implements RequestLog {
  readonly #isErrorsOnly: boolean
  readonly #write: (lines: Buffer) => void
  readonly #source = `,"pid":${process.pid},"hostname":${asciiJson(hostname())},"requestId":"`
  readonly #buffer = Buffer.allocUnsafeSlow(mostBuffered + longestLine)
  #length = 0
  /** The start of a line, up to the request id, in the millisecond `#startAt`. */
  #start = ''
  #startAt = 0

  constructor(isErrorsOnly: boolean, write: (lines: Buffer) => void) {
    this.#isErrorsOnly = isErrorsOnly
    this.#write = write
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    const socket = request.raw.socket as LoggedSocket
    let next = socket[firstOpen]
    if (next === undefined) {
      next = null
      socket.once('close', () => this.#logCutOff(socket))
    }
    const open: OpenRequest = { request, reply, tenantId: null, userId: null, next }
    socket[firstOpen] = open
    ;(request as Logged).openRequest = open
  }

  endOf(operation: string | null): EndRequest {
    const middle = new MiddleText(operation)
    return (request, reply, code, ms) => {
      const { openRequest } = request as Logged
      if (openRequest === null) return
      ;(request as Logged).openRequest = null
      remove(request.raw.socket, openRequest)
      const status = reply.raw.statusCode
      if (this.#isErrorsOnly && !isFailure(status, code)) return
      const { tenantId, userId } = openRequest
      this.#add(request.id, middle.of(tenantId, userId, status, code), msText(ms))
    }
  }

  recordEarlyRefusal(requestId: string, code: ErrorCode): void {
    const { status } = errors[code]
    if (this.#isErrorsOnly && !isFailure(status, code)) return
    this.#add(requestId, new MiddleText(null).of(null, null, status, code), 'null')
  }

  flush(): void {
    if (this.#length === 0) return
    this.#write(this.#buffer.subarray(0, this.#length))
    this.#length = 0
  }

  /** Writes a line for each request that was open when its connection closed. */
  #logCutOff(socket: LoggedSocket): void {
    for (let open = socket[firstOpen] ?? null; open !== null; open = open.next) {
      const { request, reply, tenantId, userId } = open
      ;(request as Logged).openRequest = null
      const status = reply.raw.headersSent ? reply.raw.statusCode : null
      const code = request.getDecorator<ErrorCode | null>('refusedAs')
      if (this.#isErrorsOnly && !isFailure(status, code)) continue
      const middle = new MiddleText(operationOf(request)).of(tenantId, userId, status, code)
      this.#add(request.id, middle, `${msText(reply.elapsedTime)},"cutOff":true`)
    }
    socket[firstOpen] = null
  }

  #add(requestId: string, middle: string, ms: string): void {
    const now = Date.now()
    if (now !== this.#startAt) {
      this.#startAt = now
      this.#start = `{"level":30,"time":${now}${this.#source}`
    }
    if (this.#length === 0) setTimeout(() => this.flush(), bufferedMs).unref()
    const line = `${this.#start}${requestId}${middle}${ms},"msg":"request"}\n`
    this.#length += this.#buffer.write(line, this.#length, 'latin1')
    if (this.#length > mostBuffered) this.flush()
  }
}

/** A stream that failed has status 200 and the code of its failure. */
const isFailure = (status: number | null, code: ErrorCode | null): boolean =>
  (status ?? 0) >= 500 || (code !== null && errors[code].status >= 500)

function remove(socket: LoggedSocket, ended: OpenRequest): void {
  let open = socket[firstOpen]
  if (open === ended) {
    socket[firstOpen] = ended.next
    return
  }
  while (open && open.next !== ended) open = open.next
  if (open) open.next = ended.next
}

/** What `app.route` is given as `config`. */
export interface LoggedRoute {
  readonly operationName?: string | undefined
}

const operationOf = (request: FastifyRequest): string | null =>
  ((request.routeOptions.config ?? {}) as LoggedRoute).operationName ?? null
