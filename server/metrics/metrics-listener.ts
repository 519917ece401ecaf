import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { getMetrics } from '../../contract/system.ts'
import { watchConnections } from '../http/connections.ts'
import type { Metrics } from './metrics.ts'

/** The metrics on a port of their own, without a key: that port must be reachable for the scraper alone. */
export interface MetricsListener {
  /** Resolves with the address it listens on. @throws Error when the port cannot be had */
  listen(where: { readonly host: string; readonly port: number }): Promise<string>
  close(): Promise<void>
}

/** Scrapes are small and rare: whoever sends more than a line, or slowly, is none. */
const limits = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}

/** How long a scrape that is under way may take to end once the listener is closing. */
const closingMs = 2_000

/**
 * A listener that answers `GET /metrics`, and everything else with 404.
 * @param stopping aborted when the service begins to stop: every answer from then on is the last on its connection
 */
export function createMetricsListener(
  metrics: Metrics,
  logger: FastifyBaseLogger,
  stopping: AbortSignal,
): MetricsListener {
  const server = createServer(limits, async (request, response) => {
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
      logger.error({ err: error }, 'metrics could not be read')
      response.writeHead(500).end()
    }
  })

  const connections = watchConnections(server)
  stopping.addEventListener('abort', connections.closeAfterAnswers)

  return {
    async listen({ host, port }) {
      server.listen(port, host)
      await once(server, 'listening')
      const { address, family, port: bound } = server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      const force = setTimeout(() => server.closeAllConnections(), closingMs).unref()
      await connections.stopListening()
      await closed
      clearTimeout(force)
    },
  }
}
