import type { MessageTransport } from '../delivery/message-transport.ts'
import { ProviderTransport } from '../delivery/provider-transport.ts'
import { createOutboundHttp } from '../delivery/providers/outbound-http.ts'
import { createProvider } from '../delivery/providers/provider-kinds.ts'
import { SmsBudget } from '../delivery/sms-budget.ts'
import { TenantProviders } from '../delivery/tenant-providers.ts'
import { InboxTestMessages, ProviderTestMessages, type TestMessages } from '../delivery/test-messages.ts'
import { createTestingChannel } from '../delivery/testing-channel.ts'
import type { Keyring } from '../secrets/keyring.ts'
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
