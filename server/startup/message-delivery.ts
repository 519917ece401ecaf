import { ulid } from '../core/ids.ts'
import type { MessageTransport } from '../delivery/message-transport.ts'
import type { AttemptResult } from '../delivery/outbox.ts'
import { OutboxWorker } from '../delivery/outbox-worker.ts'
import { ProviderTransport } from '../delivery/provider-transport.ts'
import { createOutboundHttp } from '../delivery/providers/outbound-http.ts'
import { createProvider } from '../delivery/providers/provider-kinds.ts'
import { SmsBudget } from '../delivery/sms-budget.ts'
import { TenantProviders } from '../delivery/tenant-providers.ts'
import { InboxTestMessages, ProviderTestMessages, type TestMessages } from '../delivery/test-messages.ts'
import { createTestingChannel } from '../delivery/testing-channel.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'

interface MessageDelivery {
  readonly transport: MessageTransport
  readonly testMessages: TestMessages
}

/** Providers are used in production only; in other environments every message goes to the testing channel. */
export function createMessageDelivery(settings: ServiceSettings, keyring: Keyring): MessageDelivery {
  const { environment, clock, wallClock = clock, logger, storage, deploymentProviders = [] } = settings
  if (settings.transport !== undefined || environment !== 'production') {
    const transport = settings.transport ?? createTestingChannel(keyring)
    return { transport, testMessages: new InboxTestMessages(transport, storage.system.inbox) }
  }
  const allowPrivate = settings.allowPrivateDestinations ?? false
  const context = { http: createOutboundHttp({ allowPrivate }), clock: wallClock, allowPrivate }
  const providers = new TenantProviders({
    keyring,
    clock,
    logger,
    deploymentProviders,
    createProvider: (sender, name, method) => createProvider(sender, name, method, context),
  })
  const smsBudget = new SmsBudget({ storage, logger })
  return {
    transport: new ProviderTransport(providers, smsBudget),
    testMessages: new ProviderTestMessages(providers, smsBudget),
  }
}

interface OutboxParts extends Pick<Services, 'keyring' | 'snapshots' | 'metrics' | 'transport'> {
  readonly countMessage: (result: AttemptResult) => void
}

/** Sends queued messages; metrics and statistics count what becomes of them. */
export const createOutboxWorker = (
  { storage, clock, logger }: ServiceSettings,
  { keyring, snapshots, metrics, transport, countMessage }: OutboxParts,
): OutboxWorker =>
  new OutboxWorker({
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
  })
