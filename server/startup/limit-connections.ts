import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { createRepeatedLines } from '../core/repeated-lines.ts'

/** Of the free file descriptors, for each listener. The others are for the database, senders and files. */
const shares = { PORT: 0.75, ADMIN_PORT: 0.1, METRICS_PORT: 0.05 }

/**
 * Closes new connections before clients use up the file descriptors of the process. Node would close them without a word
 * once there are none left, and the server could then not reach its database or a sender, nor its other clients.
 */
export function limitConnections(
  server: Server,
  listener: keyof typeof shares,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): void {
  const free = freeDescriptors()
  if (free === null) return
  server.maxConnections = Math.max(1, Math.floor(free * shares[listener]))
  const repeated = createRepeatedLines()
  server.on('drop', () => {
    const counted = repeated('drop')
    if (counted === null) return
    logger.warn(
      { ...counted, listener, connections: server.maxConnections },
      'too many open connections; new ones are closed. Raise the limit of open files (ulimit -n, LimitNOFILE of systemd), or limit connections per client in the proxy',
    )
  })
}

/** null when not limited, or on a system other than Linux. */
function freeDescriptors(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? null : Number(limit) - readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}
