import type { AccessTokens } from '../accounts/sessions/access-token.ts'
import type { Clock } from '../core/clock.ts'
import type { ExceededLimits } from '../events/exceeded-limits.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { RecordRefusedOperator } from '../operators/refused-operators.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import type { ReadCallerAddress } from './caller-address.ts'
import type { OriginPolicy } from './cors.ts'

/** What the request checks use. */
export interface CheckServices {
  readonly clock: Clock
  readonly storage: Storage
  readonly snapshots: TenantSnapshots
  readonly accessTokens: AccessTokens
  readonly limiter: RateLimiter
  readonly limits: LimitSettings
  readonly callerAddress: ReadCallerAddress
  /** The root key; null when it is off. */
  readonly adminKey: string | null
  readonly publicUrl: string
  readonly origins: OriginPolicy
  readonly exceededLimits: Pick<ExceededLimits, 'noteUnknown'>
  /** Called for every use of a tenant key; must not block. */
  recordKeyUse(keyId: string, now: number): void
  /** Called for every use of an operator's key; must not block. */
  recordOperatorUse(operatorId: string, now: number): void
  /** Called when an operator lacks a scope or a tenant; must not block. */
  readonly recordRefusedOperator: RecordRefusedOperator
}

/** Whether checks run when the headers have arrived or, because the body was late, again. Only the first run is counted. */
export type CheckRun = 'first' | 'again'
