import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from './loopback.ts'

/** An address that stays the same while the server behind it stops and another one starts. */
export interface MovableAddress extends AsyncDisposable {
  readonly url: string
  /** Forwards new connections to a server; null: none, and open ones break. */
  forwardTo(baseUrl: string | null): void
}

export async function startMovableAddress(): Promise<MovableAddress> {
  let target: URL | null = null
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    if (target === null) return socket.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const end of [socket, upstream]) {
      open.add(end)
      end.on('close', () => open.delete(end))
      end.on('error', () => {})
    }
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    forwardTo(baseUrl) {
      target = baseUrl === null ? null : new URL(baseUrl)
      for (const socket of open) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
