import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Clock } from '../core/clock.ts'
import { ulid } from '../core/ids.ts'
import { ServiceError } from '../core/service-error.ts'
import { refusalBody } from './answer.ts'

/** How long the peer of a refused connection may take to close its side; Node's timeouts no longer apply to it. */
const lingerMs = 1_000

/** Answers to requests that the HTTP parser rejects. They are written to the socket, as Fastify never sees the request. */
export interface ParserRefusals {
  /** Remembers the latest answer of a connection, so that no request gets two. */
  trackAnswer(socket: Socket, response: ServerResponse): void
  /** Lifts the server's request timeout for this request; the reader of its body has its own. */
  allowTime(request: IncomingMessage): void
  /** Answers a parser error after the earlier answers of the connection, or closes it when no answer can be written. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void
  /** Writes an error and ends the connection. */
  write(socket: Socket, status: string, refusal: ServiceError): void
}

/**
 * The parser refusals of one server.
 * @param onRefusal called for each refusal that was written
 */
export function createParserRefusals(
  clock: Clock,
  onRefusal: (requestId: string, code: ErrorCode) => void = () => {},
): ParserRefusals {
  /** The latest answer of each connection, started or not. */
  const lastAnswers = new WeakMap<Socket, ServerResponse>()
  /** Connections with a refusal that waits for earlier answers; their parser may report more errors meanwhile. */
  const waiting = new WeakSet<Socket>()
  /** The latest request of each connection that has no request timeout. */
  const untimed = new WeakMap<Socket, IncomingMessage>()

  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (waiting.has(socket)) return
    const { _httpMessage: awaited } = socket as Socket & { _httpMessage?: ServerResponse | null }
    const slow = untimed.get(socket)
    if (slow?.complete === false) {
      // Node reports the timeout once per request and does not enforce it afterwards.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return
      // The answer that has started would wait for the rest of the body, which cannot be read any more.
      if (awaited?.req === slow && awaited.headersSent) {
        socket.destroy()
        return
      }
    }
    const last = lastAnswers.get(socket)
    if (error.code !== 'ECONNRESET' && socket.writable && awaited && (awaited.req.complete || awaited.headersSent)) {
      // Answers are sent in the order of requests, and earlier ones are not complete.
      waiting.add(socket)
      awaited.once('close', () => {
        waiting.delete(socket)
        answer(error, socket)
      })
      return
    }
    // The error may be in the rest of a request that was answered; it gets no second answer.
    if (error.code === 'ECONNRESET' || !socket.writable || (last?.headersSent && !last.req.complete)) {
      socket.destroy()
      return
    }
    if (error.code === 'HPE_HEADER_OVERFLOW') {
      write(socket, '431 Request Header Fields Too Large', new ServiceError('HEADERS_TOO_LARGE'))
    } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      write(socket, '408 Request Timeout', new ServiceError('REQUEST_TIMEOUT'))
    } else {
      write(socket, '400 Bad Request', new ServiceError('BAD_REQUEST'))
    }
  }

  function write(socket: Socket, status: string, refusal: ServiceError): void {
    const now = clock.now()
    const id = ulid(now)
    const body = refusalBody(refusal, id, now)
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `cache-control: no-store\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
    )
    onRefusal(id, refusal.code)
    const lingering = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(lingering))
  }

  return {
    trackAnswer: (socket, response) => void lastAnswers.set(socket, response),
    allowTime: (request) => void untimed.set(request.socket, request),
    answer,
    write,
  }
}
