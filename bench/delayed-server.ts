import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../test/support/loopback.ts'

/** A port of this machine that forwards to another one and delivers every byte late. */
interface DelayedServer extends Disposable {
  readonly port: number
}

/** @param delayMs each way; timers make it up to a millisecond longer */
export async function delayServer(targetPort: number, delayMs: number): Promise<DelayedServer> {
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    forward(client, target, delayMs)
    forward(target, client, delayMs)
  })
  const port = await listenOnLoopback(server)
  return { port, [Symbol.dispose]: () => void server.close() }
}

function forward(from: Socket, to: Socket, delayMs: number): void {
  to.setNoDelay()
  from.on('data', (data) => setTimeout(() => to.destroyed || to.write(data), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
  from.on('error', () => {})
}
