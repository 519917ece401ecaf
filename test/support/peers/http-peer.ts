import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { closeWithConnections, listenOnLoopback } from '../loopback.ts'
import type { Certificate } from './certificate.ts'

/** A received request. */
interface HttpRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The response. `hang` sends nothing, `cut` closes in the middle of it, `drip` sends the head and never ends. */
export type HttpReply =
  | 'hang'
  | 'cut'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string; readonly drip?: true }

/** A server on loopback that records all requests. */
export interface HttpPeer {
  readonly port: number
  /** `http://127.0.0.1:12345` */
  readonly url: string
  readonly requests: readonly HttpRequest[]
  /** The number of accepted TCP connections. */
  readonly connections: () => number
  close(): Promise<void>
}

/** Starts a server with this response; https with a certificate. */
export async function startHttpPeer(
  reply: HttpReply | ((request: HttpRequest) => HttpReply),
  certificate?: Certificate,
): Promise<HttpPeer> {
  const requests: HttpRequest[] = []
  const server: Server = certificate === undefined ? createServer() : createTlsServer({ ...certificate })
  let connections = 0
  server.on('connection', () => connections++)
  server.on('request', async (incoming, outgoing) => {
    const body = (await Array.fromAsync(incoming)).join('')
    const request = { method: incoming.method, path: incoming.url, headers: incoming.headers, body }
    requests.push(request)
    const answer = typeof reply === 'function' ? reply(request) : reply
    if (answer === 'hang') return
    if (answer === 'cut') return void incoming.socket.destroy()
    outgoing.writeHead(answer.status, answer.headers)
    if (answer.drip) outgoing.write(answer.body ?? '')
    else outgoing.end(answer.body)
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () => closeWithConnections(server),
  }
}
