import type { FastifyBaseLogger } from 'fastify'
import type { DeploymentWarning } from '../../contract/admin/deployment.ts'
import type { Clock } from '../core/clock.ts'
import type { MessageTransport } from '../delivery/message-transport.ts'
import type { Provider } from '../delivery/provider.ts'
import type { RefusedOrigin } from '../http/refused-origins.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { Timeouts } from '../http/server.ts'
import type { IdentityProviderSettings } from '../identity-providers/identity-providers.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Storage } from '../storage/storage.ts'
import type { Environment } from './config.ts'

/** The settings of a service. It reads neither the environment nor the system clock itself. */
export interface ServiceSettings {
  readonly environment: Environment
  readonly publicUrl: string
  /** The root key; null when it is off. */
  readonly adminKey: string | null
  readonly masterKeys: string
  readonly limits: LimitSettings
  /** Default: counts in this process only. */
  readonly limiter?: ManagedRateLimiter
  readonly clientAddress: ClientAddress
  readonly retentionDays: number
  /** Maximum UTF-8 bytes of one stored profile. Default: 262,144. */
  readonly profileBytes?: number
  /** Days until the values of removed profile fields are erased. */
  readonly archiveDays?: number
  /** Days a key signs access tokens before the next one takes over. Default: 90. */
  readonly signingKeyDays?: number
  /** The percentage of its time that a busy process spends on sealing events. Default: 5. */
  readonly eventShare?: number
  /** Where heads of event logs are anchored: an https URL, or the URL of a file. Default: nowhere. */
  readonly eventsAnchor?: string | null
  readonly clock: Clock
  /** The time shared with other systems, for signatures and ID tokens. Default: `clock`. */
  readonly wallClock?: Clock
  readonly logger: FastifyBaseLogger
  /** Default: requests are not logged. */
  readonly requestLog?: RequestLog | null
  readonly storage: Storage
  /**
   * Whether no other process serves this database (`server-lock.ts`). Leases found at startup then belong to a process that
   * died and are released immediately. Default: false.
   */
  readonly isOnlyServer?: boolean
  /** Whether housekeeping runs once a minute. Default: true. Tests run its rounds themselves. */
  readonly runsHousekeeping?: boolean
  /** The providers of the deployment; used in production. */
  readonly deploymentProviders?: readonly Provider[]
  /** A webhook for messages of the testing channel; outside production only. */
  readonly testingChannelUrl?: string | null
  /** Whether tenants' senders may be in a private network. Default: false. */
  readonly allowPrivateDestinations?: boolean
  /** The endpoints of Google, Apple and Facebook. Default: the real ones. */
  readonly identityProviders?: IdentityProviderSettings
  /** Default: real senders in production, the testing channel elsewhere. */
  readonly transport?: MessageTransport
  /** MiB of memory that concurrent password hashes may use in total. Default: 256. */
  readonly hashMemoryMiB?: number
  /** Default: argon2id with 19 MiB and 2 passes. */
  readonly hasher?: PasswordHasher
  /** Called once per tenant and origin. Default: logs it. */
  readonly onRefusedOrigin?: (refused: RefusedOrigin) => void
  readonly timeouts?: Timeouts
  /** Warnings for the operator; more may be added until the listeners are open. Default: none. */
  readonly startWarnings?: readonly DeploymentWarning[]
  /** Whether `/admin` is served by `adminHttp` only. Default: false. */
  readonly separateAdmin?: boolean
  /** Shutdown timeout of requests in flight, in milliseconds. Default: 8,000. */
  readonly shutdownTimeoutMs?: number
}
