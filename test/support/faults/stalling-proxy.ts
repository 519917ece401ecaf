import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../loopback.ts'

/** A proxy that can stop forwarding without closing connections, as when the machine of a server is lost. */
export interface StallingProxy extends AsyncDisposable {
  readonly port: number
  /** Stops forwarding in both directions; connections stay open. */
  stall(): void
  /** Forwards again, including what arrived in between. */
  flow(): void
  close(): Promise<void>
}

/** Starts a proxy to a server on this machine. */
export async function startStallingProxy(serverPort: number): Promise<StallingProxy> {
  const sockets = new Set<Socket>()
  let isStalled = false

  const server = createServer((socket) => {
    const onward = connect(serverPort, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
      if (isStalled) from.pause()
    }
  })
  const port = await listenOnLoopback(server)

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  }

  return {
    port,
    stall() {
      isStalled = true
      for (const socket of sockets) socket.pause()
    },
    flow() {
      isStalled = false
      for (const socket of sockets) socket.resume()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
