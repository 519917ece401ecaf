import { connect, type Socket } from 'node:net'
import { AnswerReader, type WireAnswer } from './wire-answer.ts'

export type { WireAnswer } from './wire-answer.ts'

/** A request as written to the socket, without any checks. */
export interface WireRequest {
  readonly method?: string
  readonly path?: string
  /** In this order, with repetitions. `Host` and `Content-Length` are added unless `bare`. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  readonly bare?: boolean
}

/** The end of a conversation on one socket. */
export interface Exchange {
  readonly answers: WireAnswer[]
  /** Whether the server closed the connection before the timeout. */
  readonly closed: boolean
}

/** The bytes of a request. */
export function bytesOf({ method = 'GET', path = '/', headers = [], body, bare = false }: WireRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, ...(bare ? [] : ['host: tenantry.test'])]
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  const payload = Buffer.from(body ?? '')
  if (body !== undefined && !bare) lines.push(`content-length: ${payload.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), payload])
}

/** Sends one request on a new connection; returns its answer and rejects when there is none. */
export async function send(baseUrl: string, request: WireRequest): Promise<WireAnswer> {
  const headers = [...(request.headers ?? []), ['connection', 'close']] as const
  const { answers } = await exchange(baseUrl, bytesOf({ ...request, headers }), { method: request.method })
  if (answers.length !== 1) throw new Error(`${request.method} ${request.path} was answered ${answers.length} times`)
  return answers[0]!
}

/** When to stop listening. */
interface ReadOptions {
  /** The method of the first request: an answer to HEAD has no body. */
  readonly method?: string | undefined
  /** Stops after this many answers instead of at the end of the connection. */
  readonly until?: number
  /** Timeout in milliseconds; 60,000 unless given, so that a busy machine has time to answer. */
  readonly timeoutMs?: number
}

/** Writes bytes in pieces and reads answers until the server closes or `until` is reached. */
export async function exchange(
  baseUrl: string,
  bytes: Buffer | string | AsyncIterable<Buffer | string>,
  { method, until = Number.POSITIVE_INFINITY, timeoutMs = 60_000 }: ReadOptions = {},
): Promise<Exchange> {
  const socket = dial(baseUrl)
  const reader = new AnswerReader(method === 'HEAD')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  socket.on('data', (chunk: Buffer) => {
    reader.feed(chunk)
    if (reader.answers.length >= until) resolve(false)
  })
  // A server that answers early resets the rest of a large body. Its answer counts.
  socket.on('error', () => resolve(true))
  socket.on('close', () => resolve(true))
  void write(socket, bytes)
  const closed = await promise
  clearTimeout(timer)
  socket.destroy()
  reader.end()
  return { answers: reader.answers, closed }
}

async function write(socket: Socket, bytes: Buffer | string | AsyncIterable<Buffer | string>): Promise<void> {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) {
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return
  }
  for await (const piece of bytes) {
    if (socket.destroyed || !socket.writable) return
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
  }
}

/** Opens a socket to the service. */
export function dial(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl)
  return connect({ host: hostname, port: Number(port), noDelay: true })
}
