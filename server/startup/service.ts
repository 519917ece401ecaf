import { setTimeout as pause } from 'node:timers/promises'
import { addressCodes } from '../accounts/addresses/address-codes.ts'
import { createAccessTokens } from '../accounts/sessions/access-token.ts'
import { loadSigningKeys } from '../accounts/sessions/load-signing-keys.ts'
import { createRefreshTokens } from '../accounts/sessions/refresh-token.ts'
import type { SigningKeys } from '../accounts/sessions/signing-keys.ts'
import { CodeReads } from '../delivery/code-reads.ts'
import { createSenderWatch } from '../delivery/require-senders.ts'
import { startTestingChannelWebhook } from '../delivery/testing-channel-webhook.ts'
import { createRefusals } from '../events/refused-attempts.ts'
import { describeError } from '../http/describe-error.ts'
import { createOpenApiDocument } from '../http/openapi/document.ts'
import { createIdentityProviders } from '../identity-providers/identity-providers.ts'
import { createBudgets } from '../limits/budgets.ts'
import { createLocalRateLimiter } from '../limits/local-rate-limiter.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createMetricsListener, type MetricsListener } from '../metrics/metrics-listener.ts'
import { createRefusedOperators } from '../operators/refused-operators.ts'
import { createSmsBrake } from '../otp/sms-brake.ts'
import { defaultProfileBytes } from '../profiles/profile-content.ts'
import { createKeyring, type Keyring } from '../secrets/keyring.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { createKeyUses } from '../tenants/key-uses.ts'
import { createTenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { createEventServices } from './event-services.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createMessageDelivery, createOutboxWorker } from './message-delivery.ts'
import { createServiceHasher } from './service-hasher.ts'
import { createServiceHousekeeping } from './service-housekeeping.ts'
import { createStatistics } from './statistics.ts'
import { stopService } from './stop-service.ts'

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
  const signingKeys = await openSigningKeys(settings, keyring)
  const snapshots = createTenantSnapshots(storage)
  const messages = createMessageDelivery(settings, keyring)
  const hasher = settings.hasher ?? createServiceHasher(settings)
  const stopping = new AbortController()
  const metrics = createMetrics({ storage, hasher, transport: messages.transport, limiter, clock })
  const keyUses = createKeyUses(storage.system.tenants)
  const operatorUses = createKeyUses(storage.system.operators)
  const flushUses = async () => {
    await keyUses.flush()
    await operatorUses.flush()
  }
  const { counts, countMessage, tasks: statisticsTasks } = createStatistics(storage, clock)
  const eventServices = createEventServices(settings, keyring, metrics)
  const anchor = settings.eventsAnchor
    ? (await import('./event-anchor.ts')).openEventAnchor(settings.eventsAnchor, settings, eventServices.checkpointKeys)
    : null
  const refusals = createRefusals(storage, logger)
  const budgets = metrics.countedBudgets(createBudgets(limiter, limits))
  const services: Services = {
    ...settings,
    profileBytes: settings.profileBytes ?? defaultProfileBytes,
    deploymentProviders: settings.deploymentProviders ?? [],
    warnings: settings.startWarnings ?? [],
    openApiDocument: createOpenApiDocument(settings.publicUrl, limits),
    metrics,
    stopping: stopping.signal,
    keyring,
    snapshots,
    limiter,
    budgets,
    keyUses,
    counts,
    ...createCredentials(settings, keyring, signingKeys),
    hasher,
    addressCodes,
    smsBrake: createSmsBrake({ limiter, limits, budgets, logger, onPause: metrics.countSmsPrefixPause }),
    ...messages,
    codeReads: new CodeReads(storage),
    delivery: createOutboxWorker(settings, {
      keyring,
      snapshots,
      metrics,
      transport: messages.transport,
      countMessage,
    }),
    senderWatch: createSenderWatch({ snapshots, transport: messages.transport, logger }),
    ...refusals,
    ...eventServices,
    recordRefusedOperator: createRefusedOperators(storage.system.events, logger),
    ...createServiceHousekeeping(settings, {
      ...{ snapshots, hasher, metrics, signingKeys, counts, limiter, flushUses, statisticsTasks, anchor },
      ...refusals,
      ...eventServices,
    }),
  }
  const { http, adminHttp } = createListeners(services, settings, operatorUses.record)
  const webhook =
    settings.environment !== 'production' && settings.testingChannelUrl
      ? startTestingChannelWebhook({ url: settings.testingChannelUrl, inbox: storage.system.inbox, keyring, logger })
      : null
  const openMetrics = createMetricsListener(metrics, logger, stopping.signal)
  if (settings.isOnlyServer) await releaseLeases(services)
  services.delivery.start()
  services.events.start()
  if (settings.runsHousekeeping ?? true) services.housekeeping.start()
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
      await stopService({ services, settings, servers, openMetrics, limiter, webhook, anchor, flushUses })
    },
  }
}

const openSigningKeys = ({ storage, clock, logger, signingKeyDays }: ServiceSettings, keyring: Keyring) =>
  loadSigningKeys(
    {
      store: storage.system.signingKeys,
      keyring,
      logger,
      periodMs: (signingKeyDays ?? defaultSigningKeyDays) * DAY,
    },
    clock.now(),
  )

/** What proves who a user is: tokens, and the ID tokens of identity providers. */
const createCredentials = (
  { publicUrl, identityProviders, wallClock, logger }: ServiceSettings,
  keyring: Keyring,
  signingKeys: SigningKeys,
): Pick<Services, 'signingKeys' | 'accessTokens' | 'refreshTokens' | 'identityProviders'> => ({
  signingKeys,
  accessTokens: createAccessTokens(signingKeys, publicUrl),
  refreshTokens: createRefreshTokens(keyring),
  identityProviders: createIdentityProviders({ ...identityProviders, logger, ...(wallClock && { wallClock }) }),
})
