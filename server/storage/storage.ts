import type { IdentityStore } from '../accounts/identity.ts'
import type { Session, SessionStore } from '../accounts/session.ts'
import type { SigningKeyStore } from '../accounts/signing-keys.ts'
import type { UsedIdTokenStore } from '../accounts/used-id-tokens.ts'
import type { User, UserStore } from '../accounts/user.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Inbox } from '../delivery/inbox.ts'
import type { MessageStore } from '../delivery/message.ts'
import type { Outbox } from '../delivery/outbox.ts'
import type { SmsSpending } from '../delivery/sms-spending.ts'
import type { LimitLogStore } from '../limits/limit-log.ts'
import type { OtpStore } from '../otp/otp-store.ts'
import type { ProfileStore } from '../profiles/profile-store.ts'
import type { Tenant, TenantDirectory, TenantKey, TenantKeyStore, TenantStore } from '../tenants/tenant.ts'

/** Everything the request checks need to know about a caller, in one read. */
export interface CallerRecord {
  readonly key: TenantKey
  readonly tenant: Tenant
  readonly deletedAt: number | null
  /** The session asked for, when the tenant has it. */
  readonly session: Session | null
  /** The session's user; null when deleted. */
  readonly user: User | null
}

/** The stores of one tenant; none can be asked about another's rows. */
export interface Stores {
  readonly tenant: TenantStore
  readonly keys: TenantKeyStore
  readonly users: UserStore
  readonly identities: IdentityStore
  readonly usedIdTokens: UsedIdTokenStore
  readonly sessions: SessionStore
  readonly otps: OtpStore
  readonly messages: MessageStore
  readonly smsSpending: SmsSpending
  readonly profiles: ProfileStore
}

/** Inside a transaction. What must follow the commit is registered, and forgotten when the attempt is. */
export interface Tx extends Stores {
  onCommit(then: () => void): void
}

/** One tenant's stores; each call by itself is atomic, and durable when it resolves. */
export interface TenantStorage extends Stores {
  /**
   * All or nothing, durable when it resolves. The work may run more than once, awaits nothing but `tx`, and throws to
   * roll back; a refusal whose writes must stay is returned instead.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * For work that reads, then makes one write that applies only if what was read is unchanged. The first attempt may run
   * without a transaction; when it throws WriteConflict, or locks a row, the work runs again in a transaction.
   */
  writeOptimistically<T>(work: (stores: Stores) => Promise<T>): Promise<T>
}

/** Access that is not bound to a tenant: the outbox worker's, the operator's and the background's. */
export interface SystemStores {
  readonly tenants: TenantDirectory
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly signingKeys: SigningKeyStore
  readonly limitLogs: LimitLogStore
  /** The first tenant behind this id that has fast digests not wrapped yet (`UserStore.fastDigests`). */
  nextFastDigests(afterTenantId: string): Promise<string | null>
  /** Erases up to `batch` rows of one kind whose time ended before these epoch milliseconds; true when there are more. */
  purge(kind: PurgedRows, before: number, batch: number): Promise<boolean>
}

/** Kinds of rows that are purged once they are old. */
export type PurgedRows = 'otps' | 'messages' | 'inbox' | 'sessions' | 'usedIdTokens'

/** How busy the database is kept by this process. */
export type DatabaseUsage =
  | {
      readonly engine: 'sqlite'
      /** Writes that wait for their turn. */
      readonly waiting: number
      /** Writes so far, and the COMMITs they shared. */
      readonly writes: number
      readonly commits: number
    }
  | {
      readonly engine: 'postgres'
      /** Connections at work, and open without work. */
      readonly used: number
      readonly idle: number
      /** Pieces of work that wait for a connection. */
      readonly waiting: number
    }

/** The storage as the service sees it; engines satisfy it and know no feature's rules. */
export interface Storage {
  /** The caller's key, tenant, session and user in one read; null when there is no such key. */
  callerRecord(keyId: string, sessionId: string | null): Promise<CallerRecord | null>
  forTenant(tenantId: string): TenantStorage
  readonly system: SystemStores
  /** The database's own time, epoch milliseconds; null where it is this machine's. */
  now(): Promise<number | null>
  /** About the newest time it holds, epoch milliseconds; null when it holds none, or has a time of its own. */
  latestTime(): Promise<number | null>
  /** Resolves when the database answers and takes writes, as far as is known. */
  ping(): Promise<void>
  /** Set once nothing but a restart of the process helps; null on PostgreSQL, which is restarted by itself. */
  readonly failure: Error | null
  readonly usage: DatabaseUsage
  /** Finishes what is queued, then closes. */
  close(): Promise<void>
}

/**
 * A write lost against another one: the transaction runs again with fresh reads. When it loses every time, the conflict
 * itself is the refusal: 503, nothing was done, and a later request may succeed.
 */
export class WriteConflict extends ServiceError {
  override name = 'WriteConflict'

  constructor(message: string) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
    this.message = message
  }
}
