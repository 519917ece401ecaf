import type { User, UserStore } from '../../accounts/user.ts'
import type { NewMessage } from '../../delivery/message.ts'
import type { QueuedEvent } from '../../events/event.ts'
import type { Otp, StoredOtpScope } from '../../otp/otp.ts'
import type { OtpStore, Outcome } from '../../otp/otp-store.ts'
import type { ProfileIndexStore } from '../../profiles/index/profile-index.ts'
import type { TenantStore } from '../../tenants/tenant.ts'
import type { Executor, Parameter } from '../database.ts'
import { type Statement, statement, systemStatement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { combineWithEvents, eventValues, queuedEvents } from '../stores/event-queue.ts'
import { countResend, otps, SqlOtpStore } from '../stores/otps.ts'
import { type Claim, claimBy, claimed, claimSql, dueSql, leftOut } from '../stores/outbox.ts'
import { newMessages, progressOf } from '../stores/outbox-columns.ts'
import { SqlProfileIndexStore } from '../stores/profile-index.ts'
import { TenantStores } from '../stores/tenant-stores.ts'
import { SqlTenantStore } from '../stores/tenants.ts'
import { SqlUserStore } from '../stores/users.ts'
import type { PostgresEngine } from './postgres-engines.ts'

/**
 * Stores the message of the one-time password in `from`; its id and progress are the parameters from `first` on. Columns
 * that are not named here have the same name there.
 */
function addMessageSql(from: string, first: number): string {
  const values: Readonly<Record<string, string>> = {
    id: `$${first}`,
    state: `$${first + 1}`,
    attempts: `CAST($${first + 2} AS BIGINT)`,
    due_at: `CAST($${first + 3} AS BIGINT)`,
    lease_owner: `$${first + 4}`,
    kind: "'otp'",
    otp_id: 'id',
    created_at: 'last_sent_at',
  }
  return `INSERT INTO outbox (tenant_id, ${newMessages.names})
   SELECT tenant_id, ${newMessages.map((name) => values[name] ?? name)} FROM ${from}`
}

/** The parameters of `addMessageSql`. */
function messageParameters(message: NewMessage, lastSentAt: number): Parameter[] {
  const { state, attempts, dueAt, leaseOwner } = progressOf(message, { lastSentAt })
  return [message.id, state, attempts, dueAt, leaseOwner]
}

/**
 * Queues an event for the row that `from` changed; its values are the parameters from `first` on.
 * @param values SQL that replaces columns of the event
 */
function addEventSql(from: string, first: number, values: Readonly<Record<string, (given: string) => string>> = {}) {
  const selected = queuedEvents.map((name, index) => {
    const given = `CAST($${first + index} AS ${name === 'at' ? 'BIGINT' : 'TEXT'})`
    return values[name]?.(given) ?? given
  })
  return `INSERT INTO event_queue (tenant_id, ${queuedEvents.names}) SELECT tenant_id, ${selected} FROM ${from}`
}

combineWithEvents(({ name, sql, parameters, reach }) =>
  (reach === 'tenant' ? statement : systemStatement)(
    `postgres.${name}WithEvent`,
    `WITH changed AS (${sql} RETURNING tenant_id) ${addEventSql('changed', parameters + 1)}`,
  ),
)

/** Stores a one-time password and its message in one statement, which takes one round trip. SQLite cannot do this. */
const issue = statement(
  'postgres.otp.issue',
  `WITH issued AS (${otps.tenantInsert} RETURNING *) ${addMessageSql('issued', otps.width + 2)}`,
)
const issueWithEvent = statement(
  'postgres.otp.issueWithEvent',
  `WITH issued AS (${otps.tenantInsert} RETURNING *),
   recorded AS (${addEventSql('issued', otps.width + 7)} RETURNING 1)
   ${addMessageSql('issued', otps.width + 2)}`,
)
const resend = statement(
  'postgres.otp.resend',
  `WITH resent AS (${countResend} RETURNING *), added AS (${addMessageSql('resent', 5)} RETURNING 1)
   SELECT ${otps.columns} FROM resent`,
  otps,
)

/** The caller has not read the row, so its event names the one-time password. */
const ownerOfResent = {
  subject_kind: (given: string) => `CASE WHEN user_id IS NULL THEN ${given} ELSE 'user' END`,
  subject_id: (given: string) => `COALESCE(user_id, ${given})`,
}
const resendWithEvent = statement(
  'postgres.otp.resendWithEvent',
  `WITH resent AS (${countResend} RETURNING *), added AS (${addMessageSql('resent', 5)} RETURNING 1),
   recorded AS (${addEventSql('resent', 10, ownerOfResent)} RETURNING 1)
   SELECT ${otps.columns} FROM resent`,
  otps,
)

/**
 * Skips messages that another process is claiming. The due messages are selected in a CTE, which runs once: a subquery in
 * the condition may run again for each row, skip the messages taken so far, and so claim all of them.
 */
const claimUnlocked = systemStatement(
  'postgres.outbox.claim',
  `WITH due AS (${dueSql('$1', '$4', '$5')} FOR UPDATE SKIP LOCKED)
   ${claimSql('(tenant_id, id) IN (SELECT tenant_id, id FROM due)')}`,
  claimed,
)

const due = systemStatement<{ tenant_id: string; id: string }>('postgres.outbox.due', dueSql('$1', '$2', '$3'))
const take = systemStatement(
  'postgres.outbox.take',
  claimSql('tenant_id = $1 AND id = $2 AND due_at <= $3', ['$3', '$4', '$5'], '$1'),
  claimed,
)

/**
 * For distributed engines, which cannot lock rows of many tenants: reads the due messages, then claims each one that is
 * still due by its key. All processes claim in the same order, so they cannot deadlock.
 */
const claimOneByOne: Claim = async (sql, { now, owner, leaseUntil, batch, leaveOut }) => {
  const found = await sql.rows(due, now, batch, leftOut(leaveOut))
  const inOrder = found.sort((a, b) => (a.id < b.id ? -1 : 1))
  const taken = await Promise.all(
    inOrder.map(({ tenant_id, id }) => sql.row(take, tenant_id, id, now, owner, leaseUntil)),
  )
  return taken.filter((row) => row !== null)
}

export const claimOf = ({ claims }: Pick<PostgresEngine, 'claims'>): Claim =>
  claims === 'one by one' ? claimOneByOne : claimBy(claimUnlocked)

class PostgresOtpStore extends SqlOtpStore {
  override async issue(otp: Otp, message: NewMessage, event: QueuedEvent | null = null): Promise<void> {
    const parameters = [this.tenantId, ...otps.values(otp), ...messageParameters(message, otp.lastSentAt)]
    if (event === null) await this.executor.effect(issue, ...parameters)
    else await this.executor.effect(issueWithEvent, ...parameters, ...eventValues(this.executor, event))
  }

  override async resend(
    id: string,
    scope: StoredOtpScope,
    now: number,
    message: NewMessage,
    event: QueuedEvent | null = null,
  ): Promise<Outcome> {
    const parameters = [this.tenantId, id, scope, now, ...messageParameters(message, now)]
    const { rows } =
      event === null
        ? await this.executor.effect(resend, ...parameters)
        : await this.executor.effect(resendWithEvent, ...parameters, ...eventValues(this.executor, event))
    return this.outcomeOf(rows[0] ?? null, id, scope)
  }
}

class PostgresUserStore extends SqlUserStore {
  /**
   * A statement that waited for the row lock sees the row's current version, but the identities of its own snapshot, so
   * they are read again. Both statements share a round trip.
   */
  override async lock(id: string): Promise<User | null> {
    const [held, user] = await Promise.all([super.lock(id), super.find(id)])
    return held && { ...held, providers: user?.providers ?? [] }
  }
}

/** Compatible with itself, so that users can be added at the same time. */
const shareRevision = statement<{ revision: number }>(
  'postgres.tenant.shareRevision',
  'SELECT revision FROM tenants WHERE id = $1 AND deleted_at IS NULL FOR SHARE',
)
/** For engines whose transactions cannot share a row lock. */
const lockRevision = statement<{ revision: number }>(
  'postgres.tenant.lockRevision',
  'UPDATE tenants SET revision = revision WHERE id = $1 AND deleted_at IS NULL RETURNING revision',
)

class PostgresTenantStore extends SqlTenantStore {
  readonly #executor: Executor
  readonly #tenantId: string
  readonly #lock: Statement<{ revision: number }>

  constructor(executor: Executor, tenantId: string, engine: PostgresEngine) {
    super(executor, tenantId)
    this.#executor = executor
    this.#tenantId = tenantId
    this.#lock = engine.sharedRowLocks ? shareRevision : lockRevision
  }

  override lockRevision(): Promise<number | null> {
    return this.#executor.write(async (sql) => (await sql.row(this.#lock, this.#tenantId))?.revision ?? null)
  }
}

/** The stores of one tenant, with what PostgreSQL does differently from other SQL databases. */
export class PostgresTenantStores extends TenantStores {
  protected readonly engine: PostgresEngine
  #otps?: OtpStore
  #tenant?: TenantStore
  #users?: UserStore

  constructor(executor: Executor, tenantId: string, engine: PostgresEngine) {
    super(executor, tenantId)
    this.engine = engine
  }

  override get tenant(): TenantStore {
    this.#tenant ??= new PostgresTenantStore(this.executor, this.tenantId, this.engine)
    return this.#tenant
  }

  override get users(): UserStore {
    this.#users ??= new PostgresUserStore(this.executor, this.tenantId)
    return this.#users
  }

  override get otps(): OtpStore {
    const Store = this.engine.dataModifyingCtes ? PostgresOtpStore : SqlOtpStore
    this.#otps ??= new Store(this.executor, this.tenantId)
    return this.#otps
  }
}

class OptimisticUserStore extends PostgresUserStore {
  override async lock(): Promise<never> {
    throw new WriteConflict('a row lock needs a transaction')
  }
}

class OptimisticProfileIndexStore extends SqlProfileIndexStore {
  override requireTransaction(): never {
    throw new WriteConflict('a claim needs a transaction')
  }
}

/** The stores of an attempt without a transaction. It ends with a conflict when it locks a row or needs several writes. */
export class OptimisticStores extends PostgresTenantStores {
  override get users(): UserStore {
    return new OptimisticUserStore(this.executor, this.tenantId)
  }
  override get profileIndex(): ProfileIndexStore {
    return new OptimisticProfileIndexStore(this.executor, this.tenantId)
  }
}
