import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { MessageTransport } from '../delivery/message-transport.ts'
import type { Provider } from '../delivery/provider.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { Timeouts } from '../http/server.ts'
import type { IdentityProviderSettings } from '../identity-providers/identity-providers.ts'
import type { ClientAddress } from '../limits/client-address.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Storage } from '../storage/storage.ts'
import type { Environment } from './config.ts'

/** What the service is given; it reads neither environment nor clock by itself. */
export interface ServiceSettings {
  readonly environment: Environment
  readonly publicUrl: string
  readonly adminKey: string
  readonly masterKeys: string
  readonly limits: LimitSettings
  /** Counts in this process alone when absent. */
  readonly limiter?: ManagedRateLimiter
  readonly clientAddress: ClientAddress
  readonly retentionDays: number
  /** UTF-8 bytes of one stored profile, at most; 262,144 when absent. */
  readonly profileBytes?: number
  /** How long a key signs access tokens before the next one takes over; 90 days. */
  readonly signingKeyDays?: number
  readonly clock: Clock
  /** The time as other systems have it, for what they date or judge by it: signatures and ID tokens; `clock` when absent. */
  readonly wallClock?: Clock
  readonly logger: FastifyBaseLogger
  /** No request is logged when absent or null. */
  readonly requestLog?: RequestLog | null
  readonly storage: Storage
  /**
   * Whether no other process serves this database (`server-lock.ts`): leases found at startup then belong to a process that
   * died, and are released at once. False when absent.
   */
  readonly isOnlyServer?: boolean
  /** The deployment's own senders; used in production. */
  readonly deploymentProviders?: readonly Provider[]
  /** Where messages of the testing channel are posted too; outside production only. */
  readonly testingChannelUrl?: string | null
  /** Whether tenants' senders may be in a private network; outside production when absent. */
  readonly allowPrivateDestinations?: boolean
  /** Where Google, Apple and Facebook are; the real ones when absent. */
  readonly identityProviders?: IdentityProviderSettings
  /** By environment when absent: real senders in production, the testing channel elsewhere. */
  readonly transport?: MessageTransport
  /** MiB that running password hashes may use together; 256. */
  readonly hashMemoryMiB?: number
  /** Argon2id at the design's cost when absent. */
  readonly hasher?: PasswordHasher
  readonly timeouts?: Timeouts
  /** Whether `/admin` is served by `adminHttp` only; false when absent. */
  readonly separateAdmin?: boolean
  /** How long requests under way may take to end once the service is closing; 8 s. */
  readonly closingMs?: number
}
