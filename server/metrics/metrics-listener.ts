import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { getMetrics } from '../../contract/system.ts'
import { nodeHttp } from '../core/node-http.ts'
import { watchConnections } from '../http/connections.ts'
import type { Metrics } from './metrics.ts'

/** The metrics on a separate port, without a key: only the scraper must be able to reach that port. */
export interface MetricsListener {
  readonly server: Server
  /** Resolves with the address it listens on. @throws Error when listening fails */
  listen(where: { readonly host: string; readonly port: number }): Promise<string>
  close(): Promise<void>
}

/** A scrape is one small request. */
const limits = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}

/** How long running scrapes may take when the listener closes. */
const shutdownTimeoutMs = 2_000

/**
 * A listener that answers `GET /metrics`, and other requests with 404.
 * @param stopping aborted when shutdown begins: from then on every answer closes its connection
 */
export function createMetricsListener(
  metrics: Metrics,
  logger: FastifyBaseLogger,
  stopping: AbortSignal,
): MetricsListener {
  const server = nodeHttp().createServer(limits, async (request, response) => {
    response.setHeader('cache-control', 'no-store')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url?.split('?', 1)[0] !== getMetrics.path) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found: GET /metrics\n')
      return
    }
    try {
      const text = await metrics.text()
      response.writeHead(200, { 'content-type': getMetrics.outputText }).end(text)
    } catch (error) {
      logger.error({ err: error }, 'failed to collect metrics')
      response.writeHead(500).end()
    }
  })

  const connections = watchConnections(server)
  stopping.addEventListener('abort', connections.closeAfterAnswers)

  return {
    server,
    async listen({ host, port }) {
      server.listen(port, host)
      await once(server, 'listening')
      const { address, family, port: bound } = server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      const force = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs).unref()
      await connections.stopListening()
      await closed
      clearTimeout(force)
    },
  }
}
