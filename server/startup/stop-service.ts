import type { FastifyInstance } from 'fastify'
import type { TestingChannelWebhook } from '../delivery/testing-channel-webhook.ts'
import type { EventAnchor } from '../events/anchor/anchor-heads.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import type { MetricsListener } from '../metrics/metrics-listener.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'

/** What runs in a service, besides what its handlers use. */
interface RunningService {
  readonly services: Services
  readonly settings: ServiceSettings
  readonly servers: readonly FastifyInstance[]
  readonly openMetrics: MetricsListener
  readonly limiter: ManagedRateLimiter
  readonly webhook: TestingChannelWebhook | null
  readonly anchor: EventAnchor | null
  /** Stores the last uses of keys. */
  readonly flushUses: () => Promise<void>
}

/** Incomplete requests would otherwise delay shutdown until they time out. */
const defaultShutdownTimeoutMs = 8_000

/** Answers the requests that were accepted, stops background work, and closes the storage last. */
export async function stopService(running: RunningService): Promise<void> {
  await closeListeners(running)
  await stopBackgroundWork(running)
  const { services, limiter } = running
  await services.transport.close?.()
  await limiter.close()
  await services.storage.close()
}

async function closeListeners({ servers, openMetrics, settings }: RunningService): Promise<void> {
  const force = setTimeout(() => {
    for (const { server } of servers) server.closeAllConnections()
  }, settings.shutdownTimeoutMs ?? defaultShutdownTimeoutMs).unref()
  await Promise.all([...servers, openMetrics].map((listener) => listener.close()))
  clearTimeout(force)
  settings.requestLog?.flush()
}

/**
 * Stops background work in the order in which it produces work: deliveries, housekeeping and the refusals that are flushed record
 * events, the relay seals events, and the anchor stores the heads of what is sealed. Shutdown continues without counts that
 * cannot be stored.
 */
async function stopBackgroundWork({ services, webhook, anchor, flushUses }: RunningService): Promise<void> {
  const { clock, logger } = services
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message)
  await services.delivery.stop()
  await webhook?.stop()
  await services.housekeeping.stop()
  await services.exceededLimits.flush(clock.now()).catch(warn('failed to record the last refusals'))
  await flushUses().catch(warn('failed to store the last uses of keys'))
  await services.counts.flush().catch(warn('failed to store the last counts'))
  await services.digestWrapping.stop()
  await services.schemaBuilds.stop()
  await services.events.stop()
  await anchor?.stop()
}
