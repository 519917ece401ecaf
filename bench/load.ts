import { connect } from 'node:net'

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
  /** Responses with an unexpected status. */
  readonly unexpected: number
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
 * Keeps every connection busy with one request at a time for the given duration. Uses sockets and a small parser instead of
 * a client library, to take as little processor time as possible.
 */
export async function drive({ port, connections, seconds, expectedStatus, next }: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  let unexpected = 0
  const start = performance.now()
  const end = start + seconds * 1000
  const answered = (status: number, since: number) => {
    latencies.push(performance.now() - since)
    if (status !== expectedStatus) unexpected++
  }
  await Promise.all(
    Array.from({ length: connections }, (_, connection) => {
      const nextHere = (answer: Buffer | null) => next(connection, answer)
      return keepBusy(port, nextHere, end, answered)
    }),
  )
  const elapsed = (performance.now() - start) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    requests: latencies.length,
    requestsPerSecond: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    unexpected,
  }
}

function keepBusy(
  port: number,
  next: (answer: Buffer | null) => Buffer,
  end: number,
  answered: (status: number, since: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let since = 0
    let pending = Buffer.alloc(0)
    const send = (answer: Buffer | null) => {
      let request: Buffer
      try {
        request = next(answer)
      } catch (error) {
        reject(error)
        socket.destroy()
        return
      }
      if (performance.now() >= end) {
        socket.end(resolve)
        return
      }
      since = performance.now()
      socket.write(request)
    }
    socket.on('connect', () => send(null))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const length = answerLength(pending)
      if (length === null || pending.length < length) return
      const answer = pending
      pending = Buffer.alloc(0)
      answered(Number(answer.subarray(9, 12).toString('latin1')), since)
      send(answer)
    })
  })
}

/** Length of the whole response in bytes; null while its head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.subarray(0, headEnd).toString('latin1')
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  return headEnd + 4 + (length === undefined ? 0 : Number(length))
}
