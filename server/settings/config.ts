import type { ProviderFactory } from '../delivery/providers/provider-kind.ts'
import type { RequestLogMode } from '../http/request-log.ts'
import type { IdentityProviderSettings } from '../identity-providers/identity-providers.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { ValkeyAddress } from '../limits/valkey-url.ts'
import type { DatabaseSettings } from './database-settings.ts'

/** Where the service runs. Outside `production`, messages go to the testing channel. */
export type Environment = 'development' | 'staging' | 'production'

/** All settings, parsed. */
export interface Config {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  /** The port that serves metrics without a key; null: none. */
  readonly metricsPort: number | null
  /** The listener that serves `/admin` instead of `port`; null: `port` serves it. */
  readonly admin: { readonly host: string; readonly port: number } | null
  readonly database: DatabaseSettings
  /** Where processes share their limits; null: in PostgreSQL, or not at all. */
  readonly valkey: ValkeyAddress | null
  /** null: generated and stored beside the database. */
  readonly masterKeys: string | null
  /** `off`: operators only. */
  readonly adminKey: string | null
  /** Issuer of access tokens. Required in production; otherwise defaults to 127.0.0.1 and the port. */
  readonly publicUrl: string
  readonly clientAddress: ClientAddress
  readonly limits: LimitSettings
  readonly deploymentProviders: readonly ProviderFactory[]
  readonly identityProviders: IdentityProviderSettings
  /** A webhook for messages of the testing channel; outside production only. */
  readonly testingChannelUrl: string | null
  readonly logLevel: string
  /** Which requests are logged, independent of the log level. */
  readonly requestLog: RequestLogMode
  /** Days until expired data is purged. */
  readonly retentionDays: number
  /** Maximum UTF-8 bytes of one stored profile. */
  readonly profileBytes: number
  readonly archiveDays: number
  /** MiB of memory that concurrent password hashes may use in total. */
  readonly hashMemoryMiB: number
  /** Days a key signs access tokens before the next one takes over. */
  readonly signingKeyDays: number
  /** The percentage of its time that a busy process spends on sealing events. */
  readonly eventShare: number
  /** Where heads of event logs are anchored; null: nowhere. */
  readonly eventsAnchor: string | null
  /** Seconds from the stop signal until the listeners close; meanwhile `/readyz` is 503 and requests are answered. */
  readonly drainSeconds: number
  /** Warnings about the settings, logged at startup. */
  readonly warnings: readonly string[]
}
