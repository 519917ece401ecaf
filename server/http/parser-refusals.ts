import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Clock } from '../core/clock.ts'
import { ulid } from '../core/ids.ts'
import { ServiceError } from '../core/service-error.ts'
import { refusalBody } from './answer.ts'

/** How long the peer of a refused connection has to close its side: no timeout of Node's watches over it any more. */
const lingerMs = 1_000

/** The HTTP parser's own refusals, written by hand in the envelope: there is no request to reply to (design 2). */
export interface ParserRefusals {
  /** Remembers the latest answer of a connection, so that one request never gets two. */
  trackAnswer(socket: Socket, response: ServerResponse): void
  /** Lets the body of this request come for longer than the server's timeout: whoever reads it watches over it. */
  allowTime(request: IncomingMessage): void
  /** Answers what the parser could not read, after the answers before it, or closes where none can be written. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void
  /** Writes a refusal and ends the connection. */
  write(socket: Socket, status: string, refusal: ServiceError): void
}

/**
 * The refusals of one server.
 * @param onRefusal called with the id and the code of each refusal that was written
 */
export function createParserRefusals(
  clock: Clock,
  onRefusal: (requestId: string, code: ErrorCode) => void = () => {},
): ParserRefusals {
  /** The latest answer on each connection, begun or not. */
  const lastAnswers = new WeakMap<Socket, ServerResponse>()
  /** Connections with a refusal that waits its turn; their parser may go on complaining meanwhile. */
  const waiting = new WeakSet<Socket>()
  /** The latest request on each connection that may take its time. */
  const unhurried = new WeakMap<Socket, IncomingMessage>()

  function answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (waiting.has(socket)) return
    const { _httpMessage: awaited } = socket as Socket & { _httpMessage?: ServerResponse | null }
    const slow = unhurried.get(socket)
    if (slow?.complete === false) {
      // Node says so once for each request and then leaves it alone, whatever becomes of it.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return
      // The answer that has begun would wait for the rest of this body, and the rest is not to come.
      if (awaited?.req === slow && awaited.headersSent) {
        socket.destroy()
        return
      }
    }
    const last = lastAnswers.get(socket)
    if (error.code !== 'ECONNRESET' && socket.writable && awaited && (awaited.req.complete || awaited.headersSent)) {
      // Answers go out in the order of requests: those before the broken one are still being answered.
      waiting.add(socket)
      awaited.once('close', () => {
        waiting.delete(socket)
        answer(error, socket)
      })
      return
    }
    // What is wrong may be the rest of a request that has its answer: it gets no second one.
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
    allowTime: (request) => void unhurried.set(request.socket, request),
    answer,
    write,
  }
}
