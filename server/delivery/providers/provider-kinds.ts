import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import type { SenderSettings } from '../../../contract/senders/delivery-senders.ts'
import type { Provider } from '../provider.ts'
import { http } from './kinds/http.ts'
import { smtp } from './kinds/smtp.ts'
import { twilio } from './kinds/twilio.ts'
import type { EnvironmentReader, ProviderContext, ProviderFactory, ProviderKind } from './provider-kind.ts'

type Kinds = { readonly [T in SenderSettings['type']]: ProviderKind<Extract<SenderSettings, { readonly type: T }>> }

/** Every kind of provider, by the `type` in its settings. */
const kinds: Kinds = { smtp, twilio, http }

const kindOf = ({ type }: SenderSettings): ProviderKind => kinds[type]

/** The provider for a tenant's sender; see `ProviderKind.create`. */
export const createProvider = (
  settings: SenderSettings,
  name: string,
  method: DeliveryMethod,
  context: ProviderContext,
): Provider => kindOf(settings).create(settings, name, method, context)

/** The host or account that the messages of a sender go to. */
export const destinationOf = (settings: SenderSettings): string => kindOf(settings).destinationOf(settings)

/** The providers that the server's environment configures for tenants without their own senders. */
export const readDeploymentProviders = (environment: EnvironmentReader): ProviderFactory[] =>
  Object.values<ProviderKind>(kinds).flatMap((kind) => kind.fromEnvironment(environment) ?? [])
