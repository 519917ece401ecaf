import type { IdentityStore } from '../accounts/identity.ts'
import type { Session, SessionStore } from '../accounts/sessions/session.ts'
import type { SigningKeyStore } from '../accounts/sessions/signing-key-store.ts'
import type { FormPromptStore } from '../accounts/sign-in/form-prompts.ts'
import type { UsedIdTokenStore } from '../accounts/used-id-tokens.ts'
import type { User, UserStore } from '../accounts/user.ts'
import type { IdempotencyStore } from '../core/idempotency.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Inbox } from '../delivery/inbox.ts'
import type { MessageStore } from '../delivery/message.ts'
import type { Outbox } from '../delivery/outbox.ts'
import type { SmsSpending } from '../delivery/sms-spending.ts'
import type { EventHeadDirectory } from '../events/anchor/anchor-heads.ts'
import type { CheckpointKeyStore } from '../events/checkpoint-keys.ts'
import type { ErasedUserDirectory, EventErasureStore } from '../events/erasure.ts'
import type { EventQueueStore } from '../events/event.ts'
import type { EventPurgeStore } from '../events/event-purge.ts'
import type { EventSealing } from '../events/event-sealing.ts'
import type { EventLogStore } from '../events/log/event-log.ts'
import type { LimitLogStore } from '../limits/limit-log.ts'
import type { OperatorStore } from '../operators/operator.ts'
import type { OperatorSessionStore } from '../operators/operator-session.ts'
import type { OtpStore } from '../otp/otp-store.ts'
import type { UndoCodeStore } from '../otp/undo-codes.ts'
import type { ProfileIndexStore } from '../profiles/index/profile-index.ts'
import type { ProfileSearchStore } from '../profiles/index/profile-search.ts'
import type { ProfileStore } from '../profiles/profile-store.ts'
import type { CountDirectory, TenantCountStore } from '../statistics/tenant-counts.ts'
import type { Tenant, TenantDirectory, TenantKey, TenantKeyStore, TenantStore } from '../tenants/tenant.ts'

/** What the request checks need to know about a caller. */
export interface CallerRecord {
  readonly key: TenantKey
  readonly tenant: Tenant
  readonly deletedAt: number | null
  /** The requested session, if the tenant has it. */
  readonly session: Session | null
  /** The session's user; null when deleted. */
  readonly user: User | null
}

/** The stores of one tenant. They reach no rows of other tenants. */
export interface Stores {
  readonly tenant: TenantStore
  readonly keys: TenantKeyStore
  readonly users: UserStore
  readonly formPrompts: FormPromptStore
  readonly identities: IdentityStore
  readonly usedIdTokens: UsedIdTokenStore
  readonly sessions: SessionStore
  readonly otps: OtpStore
  readonly undoCodes: UndoCodeStore
  readonly messages: MessageStore
  readonly smsSpending: SmsSpending
  readonly profiles: ProfileStore
  readonly profileIndex: ProfileIndexStore
  readonly profileSearch: ProfileSearchStore
  readonly idempotency: IdempotencyStore
  readonly events: EventQueueStore
  readonly eventErasures: EventErasureStore
  readonly eventLog: EventLogStore
  readonly counts: TenantCountStore
}

/** The stores inside a transaction. */
export interface Tx extends Stores {
  /** Runs after the commit; dropped when the attempt rolls back. */
  onCommit(then: () => void): void
}

/** One tenant's stores. Each call is atomic, and durable when it resolves. */
export interface TenantStorage extends Stores {
  /**
   * Runs the work in a transaction that is durable when it resolves. The work may run more than once, awaits only `tx`,
   * and throws to roll back. To refuse a request and keep what was written, it returns the refusal.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * For work that reads, then makes one write that applies only if what was read is unchanged. The first attempt may
   * run without a transaction; when it throws WriteConflict, or locks a row, the work runs again in a transaction.
   */
  writeOptimistically<T>(work: (stores: Stores) => Promise<T>): Promise<T>
}

/** The stores of the deployment inside a transaction. */
type SystemTx = Pick<
  SystemStores,
  'tenants' | 'signingKeys' | 'operators' | 'operatorSessions' | 'idempotency' | 'events'
>

/** Access across tenants, for the outbox worker, the operator and background jobs. */
export interface SystemStores {
  readonly tenants: TenantDirectory
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly signingKeys: SigningKeyStore
  readonly operatorSessions: OperatorSessionStore
  readonly limitLogs: LimitLogStore
  /** The answers of operations that belong to no tenant. */
  readonly idempotency: IdempotencyStore
  /** The queue of the deployment's own log. */
  readonly events: EventQueueStore
  readonly erasedUsers: ErasedUserDirectory
  readonly operators: OperatorStore
  /** The deployment's own log. */
  readonly eventLog: EventLogStore
  /** The queues of all logs. */
  readonly eventSealing: EventSealing
  readonly checkpointKeys: CheckpointKeyStore
  /** Of one log: a tenant's, or the deployment's. */
  eventPurge(tenantId: string): EventPurgeStore
  readonly eventHeads: EventHeadDirectory
  readonly counts: CountDirectory
  /** Runs the work in a transaction, as `TenantStorage.write` does. */
  write<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  /** The first tenant after this id with fast digests that are not wrapped yet (`UserStore.fastDigests`). */
  nextFastDigests(afterTenantId: string): Promise<string | null>
  /** Deletes up to `batch` rows of one kind that expired before these epoch milliseconds; true when there are more. */
  purge(kind: PurgedRows, before: number, batch: number): Promise<boolean>
}

/** The kinds of rows that are purged. */
export type PurgedRows =
  | 'otps'
  | 'messages'
  | 'sessions'
  | 'usedIdTokens'
  | 'idempotencyKeys'
  | 'operatorSessions'
  | 'counts'
  | 'limitLogs'
  | 'smsSpending'

/** How much this process uses the database. */
export type DatabaseUsage =
  | {
      readonly engine: 'sqlite'
      /** Queued writes. */
      readonly waiting: number
      /** Writes so far, and the COMMITs they shared. */
      readonly writes: number
      readonly commits: number
    }
  | {
      readonly engine: 'postgres'
      /** Connections in use, and idle ones. */
      readonly used: number
      readonly idle: number
      /** Work that waits for a connection. */
      readonly waiting: number
    }

/** The storage interface. Engines implement it and contain no rules of features. */
export interface Storage {
  /** The caller's key, tenant, session and user in one read; null for an unknown key. */
  callerRecord(keyId: string, sessionId: string | null): Promise<CallerRecord | null>
  forTenant(tenantId: string): TenantStorage
  readonly system: SystemStores
  /** The database server's time in epoch milliseconds; null for an embedded database. */
  now(): Promise<number | null>
  /**
   * Approximately the latest time stored, in epoch milliseconds; null when none is stored, or when `now` is not null.
   */
  latestTime(): Promise<number | null>
  /** Resolves when the database answers and, as far as is known, accepts writes. */
  ping(): Promise<void>
  /** An error that only a restart of this process resolves; always null on PostgreSQL. */
  readonly failure: Error | null
  readonly usage: DatabaseUsage
  /** Finishes queued work, then closes. */
  close(): Promise<void>
}

/**
 * A write conflicted with another one, so the transaction runs again and reads again. When every attempt conflicts, the
 * client gets this error: 503, nothing was done, and a retry may succeed.
 */
export class WriteConflict extends ServiceError {
  override name = 'WriteConflict'

  constructor(message: string) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
    this.message = message
  }
}
