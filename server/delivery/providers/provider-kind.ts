import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import type { SenderSettings } from '../../../contract/senders/delivery-senders.ts'
import type { Clock } from '../../core/clock.ts'
import type { Provider } from '../provider.ts'
import type { DestinationRules } from './destination.ts'
import type { OutboundHttp } from './outbound-http.ts'

/** What providers are created with, besides their settings. `http` follows the same destination rules. */
export interface ProviderContext extends DestinationRules {
  readonly http: OutboundHttp
  readonly clock: Clock
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined
}

/** Creates a provider that the server's environment configures. */
export type ProviderFactory = () => Provider

/** Reads settings of the server's environment and collects problems. */
export interface EnvironmentReader {
  readonly problems: string[]
  /** Settings that are valid but probably unintended. */
  readonly warnings: string[]
  text(name: string): string | undefined
  /** The value, or the content of the file that `<name>_FILE` names; `unset`: an empty file is allowed. */
  secret(name: string, emptyFile: 'unset'): string | undefined
  /** What `read` returns; `otherwise` when it throws, with the error added to the problems. */
  attempt<T>(name: string, read: () => T, otherwise: T): T
}

/** The implementation of a type of sender; its settings are defined in `contract/senders/`. */
export interface ProviderKind<S extends SenderSettings = SenderSettings> {
  /** The host or account that messages go to. Stored secrets are bound to it and never sent anywhere else. */
  destinationOf(settings: S): string
  /**
   * Connects only when the first message is sent.
   * @param name unique among the tenant's senders of a method
   * @throws Error that says why these settings can never send here, without secrets
   */
  create(settings: S, name: string, method: DeliveryMethod, context: ProviderContext): Provider
  /** The deployment's own provider; null when the environment configures none. */
  fromEnvironment(environment: EnvironmentReader): ProviderFactory | null
}
