import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

const signals = new WeakMap<Socket, AbortSignal>()

/**
 * Aborts when the client has closed its connection. One signal per connection, created on first use. It watches the
 * connection and not the response, because a pipelined request may wait for a hash while its response has no connection.
 */
export function clientGone({ socket }: IncomingMessage): AbortSignal {
  const known = signals.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (socket.destroyed) controller.abort()
  else socket.once('close', () => controller.abort())
  signals.set(socket, controller.signal)
  return controller.signal
}
