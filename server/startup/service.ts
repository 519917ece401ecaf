import { setTimeout as pause } from 'node:timers/promises'
import { createAccessTokens } from '../accounts/access-token.ts'
import { addressCodes } from '../accounts/address-codes.ts'
import { loadSigningKeys } from '../accounts/load-signing-keys.ts'
import { createGuestPurge } from '../accounts/purge-guests.ts'
import { createRefreshTokens } from '../accounts/refresh-token.ts'
import { routesIn } from '../app.ts'
import { ulid } from '../core/ids.ts'
import { CodeReads } from '../delivery/code-reads.ts'
import { OutboxWorker } from '../delivery/outbox-worker.ts'
import { createSenderWatch } from '../delivery/require-senders.ts'
import { startTestingChannelWebhook } from '../delivery/testing-channel-webhook.ts'
import { createRefusals } from '../events/refused-attempts.ts'
import { createHousekeeping, type HousekeepingTask } from '../housekeeping/housekeeping.ts'
import { purgeTasks } from '../housekeeping/purge-tasks.ts'
import { createCallerAddress } from '../http/caller-address.ts'
import { describeError } from '../http/describe-error.ts'
import { createOpenApiDocument } from '../http/openapi-document.ts'
import { createRefusedOrigins, type RefusedOrigin } from '../http/refused-origins.ts'
import { createIdentityProviders } from '../identity-providers/identity-providers.ts'
import { createBudgets } from '../limits/budgets.ts'
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createMetricsListener, type MetricsListener } from '../metrics/metrics-listener.ts'
import { createRefusedOperators } from '../operators/refused-operators.ts'
import { createSmsBrake } from '../otp/sms-brake.ts'
import { createDigestWrapping, digestTask } from '../passwords/wrap-digests.ts'
import { SchemaBuilds, schemaBuildTask } from '../profiles/index/schema-builds.ts'
import { defaultArchiveDays } from '../profiles/migrations/archived-fields.ts'
import { createProfileMigration } from '../profiles/migrations/migrate-stored-profiles.ts'
import { defaultProfileBytes } from '../profiles/profile-content.ts'
import { createKeyring } from '../secrets/keyring.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { eraseDeletedTenants } from '../tenants/erase-deleted-tenants.ts'
import { createKeyUses } from '../tenants/key-uses.ts'
import { createTenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { createEventServices, eventTasks } from './event-services.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createMessageDelivery } from './message-delivery.ts'
import { createServiceHasher } from './service-hasher.ts'
import { createStatistics } from './statistics.ts'

/** A composed service; its listeners are not open yet. */
export interface Service extends Listeners {
  readonly services: Services
  /** Serves metrics without a key once its listener is opened. */
  readonly openMetrics: MetricsListener
  /**
   * Starts draining: `/readyz` is 503 and every response has `Connection: close`, while requests are still accepted. Resolves
   * after `drainMs`, or when `hurry` is aborted.
   */
  drain(drainMs: number, hurry?: AbortSignal): Promise<void>
  /** Stops accepting requests, answers those accepted, then closes the storage. */
  close(): Promise<void>
}

const DAY = 86_400_000
const defaultSigningKeyDays = 90
/** Incomplete requests would otherwise delay shutdown until they time out. */
const defaultShutdownTimeoutMs = 8_000

const logRefusedOrigin =
  (logger: ServiceSettings['logger']) =>
  ({ tenantId, origin }: RefusedOrigin): void =>
    logger.info(
      { tenantId, origin },
      'browser origin refused; if the page is yours, allow it with "tenantry configuration allow-origin"',
    )

/** Releases the leases of a killed process; otherwise its messages would wait for up to a minute. */
async function releaseLeases({ storage, clock, logger }: Services): Promise<void> {
  const messages = await storage.system.outbox.releaseAll(clock.now())
  if (messages > 0) logger.info({ messages }, 'released the leases of the previous server; sending its messages now')
}

/** Composes the service and starts its background work: delivery and housekeeping. */
export async function createService(given: ServiceSettings): Promise<Service> {
  const settings = { ...given, logger: given.logger.child({}, { serializers: { err: describeError } }) }
  const { clock, logger, storage, limits } = settings
  const keyring = createKeyring(settings.masterKeys)
  const limiter = settings.limiter ?? createLocalRateLimiter()
  const signingKeys = await loadSigningKeys(
    {
      store: storage.system.signingKeys,
      keyring,
      logger,
      periodMs: (settings.signingKeyDays ?? defaultSigningKeyDays) * DAY,
    },
    clock.now(),
  )
  const snapshots = createTenantSnapshots(storage)
  const { transport, testMessages } = createMessageDelivery(settings, keyring)
  const hasher = settings.hasher ?? createServiceHasher(settings)
  const stopping = new AbortController()
  const metrics = createMetrics({ storage, hasher, transport, limiter, clock })
  const keyUses = createKeyUses(storage.system.tenants)
  const operatorUses = createKeyUses(storage.system.operators)
  const flushUses = async () => {
    await keyUses.flush()
    await operatorUses.flush()
  }
  const { counts, countMessage, tasks: statisticsTasks } = createStatistics(storage, clock)
  const digestWrapping = createDigestWrapping(storage, hasher, logger, () => noteTaskSuccess(digestTask, clock.now()))
  const archiveMs = (settings.archiveDays ?? defaultArchiveDays) * DAY
  const schemaBuilds = new SchemaBuilds({
    storage,
    snapshots,
    clock,
    logger,
    onSuccess: () => noteTaskSuccess(schemaBuildTask, clock.now()),
  })
  const eventServices = createEventServices(settings, keyring, metrics)
  const anchor = settings.eventsAnchor
    ? (await import('./event-anchor.ts')).openEventAnchor(settings.eventsAnchor, settings, keyring)
    : null
  const tasks: readonly HousekeepingTask[] = [
    { name: 'limiter_sweep', run: (now) => limiter.sweep(now) },
    { name: 'exceeded_limits', run: (now) => refusals.exceededLimits.flush(now) },
    { name: digestTask, run: digestWrapping.wake, reportsItself: true },
    { name: 'key_uses', run: flushUses },
    { name: 'signing_keys', run: (now) => signingKeys.maintain(now) },
    ...purgeTasks(storage, settings.retentionDays * DAY),
    { name: 'deleted_tenants', run: (now) => eraseDeletedTenants(storage, now) },
    ...statisticsTasks,
    ...eventTasks({ storage, snapshots, logger, ...eventServices }),
    ...(anchor === null ? [] : [{ name: 'events_anchor', run: anchor.run }]),
    { name: schemaBuildTask, run: () => schemaBuilds.wake(), reportsItself: true },
    { name: 'profile_migrations', run: createProfileMigration(storage, snapshots, archiveMs) },
    { name: 'idle_guests', run: createGuestPurge(storage, snapshots, counts) },
  ]
  const noteTaskSuccess = metrics.watchHousekeeping(tasks.map(({ name }) => name))
  const refusals = createRefusals((tenantId) => storage.forTenant(tenantId).events, logger)
  const budgets = metrics.countedBudgets(createBudgets(limiter, limits))
  const services: Services = {
    ...settings,
    profileBytes: settings.profileBytes ?? defaultProfileBytes,
    deploymentProviders: settings.deploymentProviders ?? [],
    warnings: settings.startWarnings ?? [],
    metrics,
    stopping: stopping.signal,
    keyring,
    limiter,
    signingKeys,
    addressCodes,
    transport,
    testMessages,
    codeReads: new CodeReads(storage),
    budgets,
    smsBrake: createSmsBrake({ limiter, limits, budgets, logger, onPause: metrics.countSmsPrefixPause }),
    ...refusals,
    snapshots,
    hasher,
    digestWrapping,
    schemaBuilds,
    accessTokens: createAccessTokens(signingKeys, settings.publicUrl),
    refreshTokens: createRefreshTokens(keyring),
    identityProviders: createIdentityProviders({
      ...settings.identityProviders,
      logger,
      ...(settings.wallClock && { wallClock: settings.wallClock }),
    }),
    delivery: new OutboxWorker({
      outbox: storage.system.outbox,
      keyring,
      transport,
      clock,
      logger,
      owner: ulid(clock.now()),
      onRecorded(method, result) {
        metrics.countAttempt(method, result.state)
        countMessage(result)
      },
      findTenant: (id) => snapshots.find(id),
    }),
    senderWatch: createSenderWatch({ storage, snapshots, transport, logger }),
    ...eventServices,
    openApiDocument: createOpenApiDocument(settings.publicUrl, limits),
    keyUses,
    counts,
    recordRefusedOperator: createRefusedOperators(storage.system.events, logger),
    housekeeping: createHousekeeping({ tasks, clock, logger, onSuccess: noteTaskSuccess }),
  }
  const served = routesIn(settings.environment).map(metrics.countedOtps)
  const httpOptions = {
    ...services,
    services,
    limiter: metrics.countedLimiter(limiter),
    meter: metrics.answers,
    requestLog: settings.requestLog ?? null,
    origins: {
      allowLoopback: settings.environment === 'development',
      onRefused: createRefusedOrigins(settings.onRefusedOrigin ?? logRefusedOrigin(logger)),
    },
    callerAddress: createCallerAddress(settings.clientAddress, logger, metrics.countUnnamedProxy),
    recordKeyUse: keyUses.record,
    recordOperatorUse: operatorUses.record,
    ...(settings.timeouts && { timeouts: settings.timeouts }),
  }
  const { http, adminHttp } = createListeners(httpOptions, served, settings)
  const webhook =
    settings.environment !== 'production' && settings.testingChannelUrl
      ? startTestingChannelWebhook({ url: settings.testingChannelUrl, inbox: storage.system.inbox, keyring, logger })
      : null
  const openMetrics = createMetricsListener(metrics, logger, stopping.signal)
  if (settings.isOnlyServer) await releaseLeases(services)
  services.delivery.start()
  services.events.start()
  services.housekeeping.start()
  return {
    services,
    http,
    adminHttp,
    openMetrics,
    async drain(drainMs, hurry) {
      stopping.abort()
      await pause(drainMs, undefined, hurry && { signal: hurry }).catch(() => {})
    },
    async close() {
      stopping.abort()
      const servers = adminHttp === null ? [http] : [http, adminHttp]
      const force = setTimeout(() => {
        for (const { server } of servers) server.closeAllConnections()
      }, settings.shutdownTimeoutMs ?? defaultShutdownTimeoutMs).unref()
      await Promise.all([...servers, openMetrics].map((listener) => listener.close()))
      clearTimeout(force)
      settings.requestLog?.flush()
      await services.delivery.stop()
      await webhook?.stop()
      await services.housekeeping.stop()
      await refusals.exceededLimits
        .flush(clock.now())
        .catch((error) => logger.warn({ err: error }, 'failed to record the last refusals'))
      // Shutdown continues without them.
      await flushUses().catch((error) => logger.warn({ err: error }, 'failed to store the last uses of keys'))
      await counts.flush().catch((error) => logger.warn({ err: error }, 'failed to store the last counts'))
      await digestWrapping.stop()
      await schemaBuilds.stop()
      await services.events.stop()
      await anchor?.stop()
      await transport.close?.()
      await limiter.close()
      await storage.close()
    },
  }
}
