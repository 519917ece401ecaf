import { connect, type Socket } from 'node:net'
import { AnswerReader, type WireAnswer } from './wire-answer.ts'

export type { WireAnswer } from './wire-answer.ts'

/** A request as it is written on the socket; nothing is checked, so everything can be wrong. */
export interface WireRequest {
  readonly method?: string
  readonly path?: string
  /** As written, in order, repeats included. `Host` and `Content-Length` are added unless `bare`. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  readonly bare?: boolean
}

/** How a conversation on one socket ended. */
export interface Exchange {
  readonly answers: WireAnswer[]
  /** Whether the server closed the connection before patience ran out. */
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

/** One request on a connection of its own, and its one answer; rejects when none comes. */
export async function send(baseUrl: string, request: WireRequest): Promise<WireAnswer> {
  const headers = [...(request.headers ?? []), ['connection', 'close']] as const
  const { answers } = await exchange(baseUrl, bytesOf({ ...request, headers }), { method: request.method })
  if (answers.length !== 1) throw new Error(`${request.method} ${request.path} was answered ${answers.length} times`)
  return answers[0]!
}

/** How long to listen. */
export interface Patience {
  /** Of the first request: an answer to HEAD has no body. */
  readonly method?: string | undefined
  /** Ends at this many answers instead of at the connection's end. */
  readonly until?: number
  /** Gives up after so long, in milliseconds; 5,000. */
  readonly patienceMs?: number
}

/** Writes bytes as they are (pieces one after another) and reads answers until the server closes or `until` is reached. */
export async function exchange(
  baseUrl: string,
  bytes: Buffer | string | AsyncIterable<Buffer | string>,
  { method, until = Number.POSITIVE_INFINITY, patienceMs = 5_000 }: Patience = {},
): Promise<Exchange> {
  const socket = dial(baseUrl)
  const reader = new AnswerReader(method === 'HEAD')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), patienceMs)
  socket.on('data', (chunk: Buffer) => {
    reader.feed(chunk)
    if (reader.answers.length >= until) resolve(false)
  })
  // A server that refuses early resets the rest of a large body: what it said before counts.
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

/** A connection to the service, as a socket. */
export function dial(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl)
  return connect({ host: hostname, port: Number(port), noDelay: true })
}
