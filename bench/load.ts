import { connect } from 'node:net'
import { quantile } from './table.ts'

/**
 * The next request of a connection as bytes. Connections count from 0; `answer` is the whole response to the previous
 * request, null before the first. Called after every response, including the last one, when nothing more is sent.
 */
export type NextRequest = (connection: number, answer: Buffer | null) => Buffer

/** The result of a period of load. Times are in milliseconds. */
export interface Load {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
}

/** The target and the amount of load. */
interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly expectedStatus: number
  readonly next: NextRequest
}

/** An HTTP/1.1 request with keep-alive. */
export function requestBytes(method: string, path: string, headers: Record<string, string>, body?: unknown): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(payload)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${payload}`)
}

/**
 * Keeps every connection busy with one request at a time for the given duration, or with one if that takes longer. Uses
 * sockets and a small parser instead of a client library, to take as little processor time as possible.
 * @throws at the first response with another status, with its status and body, and when the server closes a connection
 */
export async function drive({ port, connections, seconds, expectedStatus, next }: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  const answered = (request: Buffer, answer: Buffer, since: number) => {
    latencies.push(performance.now() - since)
    const status = Number(answer.subarray(9, 12).toString('latin1'))
    if (status === expectedStatus) return
    throw new Error(`${firstLine(request)}: ${status} instead of ${expectedStatus}: ${bodyOf(answer)}`)
  }
  await Promise.all(
    Array.from({ length: connections }, (_, connection) => {
      const nextHere = (answer: Buffer | null) => next(connection, answer)
      return keepBusy(port, nextHere, end, answered)
    }),
  )
  const elapsed = (performance.now() - start) / 1000
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function keepBusy(
  port: number,
  next: (answer: Buffer | null) => Buffer,
  end: number,
  answered: (request: Buffer, answer: Buffer, since: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let since = 0
    let request: Buffer = Buffer.alloc(0)
    let pending = Buffer.alloc(0)
    const send = (answer: Buffer | null) => {
      try {
        if (answer !== null) answered(request, answer, since)
        request = next(answer)
      } catch (error) {
        reject(error)
        socket.destroy()
        return
      }
      if (answer !== null && performance.now() >= end) {
        socket.end(resolve)
        return
      }
      since = performance.now()
      socket.write(request)
    }
    socket.on('connect', () => send(null))
    socket.on('error', reject)
    // Without an error, as when the server was killed; after the last answer the promise is settled.
    socket.on('close', () => reject(new Error(`${firstLine(request)}: the server closed the connection`)))
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const length = answerLength(pending)
      if (length === null || pending.length < length) return
      const answer = pending
      pending = Buffer.alloc(0)
      send(answer)
    })
  })
}

const firstLine = (request: Buffer): string => request.toString('latin1', 0, request.indexOf(' HTTP/1.1'))

const bodyOf = (answer: Buffer): string => answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4)

/** Length of the whole response in bytes; null while its head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.subarray(0, headEnd).toString('latin1')
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return headEnd + 4 + (length === undefined ? 0 : Number(length))
}
