import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** An SMTP server on loopback that accepts everything. It runs in the bench's process, so that one clock times both ends. */
export interface BenchPeer {
  readonly port: number
  /** When the last byte of each message arrived (`performance.now()`), in order. */
  readonly arrivals: readonly { readonly to: string; readonly at: number }[]
  /** The number of accepted connections. */
  readonly connections: () => number
  /** Resolves after `count` messages; rejects after 30 s without a message. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

const timeoutMs = 30_000

/** Starts a server. smtp-server greets after 100 ms, to detect clients that send before the greeting. */
export async function startBenchPeer(): Promise<BenchPeer> {
  const arrivals: { to: string; at: number }[] = []
  let connections = 0
  let waiting: { count: number; done: () => void } | null = null
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    noDelay: true,
    closeTimeout: 20,
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.once('end', () => {
        const [recipient] = envelope.rcptTo
        arrivals.push({ to: recipient?.address ?? '', at: performance.now() })
        done()
        if (waiting !== null && arrivals.length >= waiting.count) waiting.done()
      })
    },
  })
  server.server.on('connection', () => connections++)
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    arrivals,
    connections: () => connections,
    async until(count) {
      while (arrivals.length < count) {
        const before = arrivals.length
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, timeoutMs)
        waiting = { count, done: resolve }
        await promise
        clearTimeout(timer)
        if (arrivals.length === before) throw new Error(`${before} of ${count} messages arrived`)
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
