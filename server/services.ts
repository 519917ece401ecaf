import type { FastifyBaseLogger } from 'fastify'
import type { DeploymentWarning } from '../contract/admin/deployment.ts'
import type { AccessTokens } from './accounts/sessions/access-token.ts'
import type { RefreshTokens } from './accounts/sessions/refresh-token.ts'
import type { SigningKeys } from './accounts/sessions/signing-keys.ts'
import type { Clock } from './core/clock.ts'
import type { CodeReads } from './delivery/code-reads.ts'
import type { MessageTransport } from './delivery/message-transport.ts'
import type { OutboxWorker } from './delivery/outbox-worker.ts'
import type { Provider } from './delivery/provider.ts'
import type { SenderWatch } from './delivery/require-senders.ts'
import type { TestMessages } from './delivery/test-messages.ts'
import type { CheckpointKeys } from './events/checkpoint-keys.ts'
import type { Refusals } from './events/refused-attempts.ts'
import type { EventRelay } from './events/relay.ts'
import type { Housekeeping } from './housekeeping/housekeeping.ts'
import type { IdentityProviders } from './identity-providers/identity-providers.ts'
import type { Budgets } from './limits/budgets.ts'
import type { LimitSettings } from './limits/limit-settings.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { RecordRefusedOperator } from './operators/refused-operators.ts'
import type { AddressCodes } from './otp/address-codes.ts'
import type { SmsBrake } from './otp/sms-brake.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { DigestWrapping } from './passwords/wrap-digests.ts'
import type { SchemaBuilds } from './profiles/index/schema-builds.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { Environment } from './settings/config.ts'
import type { Counts } from './statistics/counts.ts'
import type { Storage } from './storage/storage.ts'
import type { KeyUses } from './tenants/key-uses.ts'
import type { TenantSnapshots } from './tenants/tenant-snapshot.ts'

/** What handlers and background work use. `startup/service.ts` creates it, once per process. */
export interface Services extends Refusals {
  readonly environment: Environment
  readonly publicUrl: string
  /** The root key; null when it is off. */
  readonly adminKey: string | null
  /** Largest stored profile in UTF-8 bytes. */
  readonly profileBytes: number
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  readonly storage: Storage
  readonly keyring: Keyring
  readonly snapshots: TenantSnapshots
  readonly limits: LimitSettings
  readonly retentionDays: number
  /** The providers of the deployment. */
  readonly deploymentProviders: readonly Provider[]
  /** What this process warned of at startup; more may be found until its listeners are open. */
  readonly warnings: readonly DeploymentWarning[]
  readonly limiter: RateLimiter
  readonly budgets: Budgets
  readonly smsBrake: SmsBrake
  readonly addressCodes: AddressCodes<Services>
  readonly hasher: PasswordHasher
  readonly digestWrapping: DigestWrapping
  readonly schemaBuilds: SchemaBuilds
  readonly signingKeys: SigningKeys
  readonly accessTokens: AccessTokens
  readonly refreshTokens: RefreshTokens
  readonly identityProviders: IdentityProviders
  readonly transport: MessageTransport
  readonly testMessages: TestMessages
  readonly codeReads: CodeReads
  readonly delivery: OutboxWorker
  readonly senderWatch: SenderWatch
  readonly events: EventRelay
  readonly checkpointKeys: CheckpointKeys
  readonly housekeeping: Housekeeping
  readonly keyUses: KeyUses
  /** What the statistics show. */
  readonly counts: Counts
  /** Records that an operator lacked a scope or a tenant; must not block. */
  readonly recordRefusedOperator: RecordRefusedOperator
  readonly metrics: Metrics
  /** The OpenAPI document as JSON; built on the first call, because most processes never serve it. */
  readonly openApiDocument: () => Promise<string>
  /** Aborted when shutdown begins. */
  readonly stopping: AbortSignal
}
