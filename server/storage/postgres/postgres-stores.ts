import type { OtpScope } from '../../../contract/otp.ts'
import type { User, UserStore } from '../../accounts/user.ts'
import type { NewMessage } from '../../delivery/message.ts'
import type { Otp } from '../../otp/otp.ts'
import type { OtpStore, Outcome } from '../../otp/otp-store.ts'
import { statement, systemStatement } from '../statement.ts'
import {
  countResend,
  type OtpRow,
  otpColumns,
  otpValues,
  SqlOtpStore,
  sendingColumns,
  sendingValues,
} from '../stores/otps.ts'
import { type ClaimedRow, claimSql, dueSql } from '../stores/outbox.ts'
import { TenantStores } from '../stores/tenant-stores.ts'
import { SqlUserStore } from '../stores/users.ts'

/** One-time password and message in one statement, which PostgreSQL can and SQLite cannot: one round trip. */
const issue = statement(
  'postgres.otp.issue',
  `WITH issued AS (
     INSERT INTO otps (tenant_id, ${otpColumns})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) RETURNING *)
   INSERT INTO outbox (${sendingColumns}) SELECT ${sendingValues('$19')} FROM issued`,
)
const resend = statement<OtpRow>(
  'postgres.otp.resend',
  `WITH resent AS (${countResend} RETURNING *),
     queued AS (INSERT INTO outbox (${sendingColumns}) SELECT ${sendingValues('$5')} FROM resent RETURNING 1)
   SELECT ${otpColumns} FROM resent`,
)

/**
 * Messages that another process is just claiming are passed over, not waited for. Named, what is due is found once: as
 * part of the condition it may be found again for each row, passing over what was taken, until all is taken.
 */
export const claimUnlocked = systemStatement<ClaimedRow>(
  'postgres.outbox.claim',
  `WITH due AS (${dueSql} FOR UPDATE SKIP LOCKED) ${claimSql('(tenant_id, id) IN (SELECT tenant_id, id FROM due)')}`,
)

class PostgresOtpStore extends SqlOtpStore {
  override async issue(otp: Otp, message: NewMessage): Promise<void> {
    await this.executor.effect(issue, this.tenantId, ...otpValues(otp), message.id)
  }

  override async resend(id: string, scope: OtpScope, now: number, message: NewMessage): Promise<Outcome> {
    const { rows } = await this.executor.effect(resend, this.tenantId, id, scope, now, message.id)
    return this.outcomeOf(rows[0] ?? null, id, scope)
  }
}

class PostgresUserStore extends SqlUserStore {
  /**
   * What waited for the row sees it as it is now, but the identities as they were when the waiting began: they are read
   * again. Both statements travel together.
   */
  override async hold(id: string): Promise<User | null> {
    const [held, user] = await Promise.all([super.hold(id), super.find(id)])
    return held && { ...held, providers: user?.providers ?? [] }
  }
}

/** The stores of one tenant, where PostgreSQL differs from other SQL databases, or does better. */
export class PostgresTenantStores extends TenantStores {
  #otps?: OtpStore
  #users?: UserStore

  override get users(): UserStore {
    this.#users ??= new PostgresUserStore(this.executor, this.tenantId)
    return this.#users
  }

  override get otps(): OtpStore {
    this.#otps ??= new PostgresOtpStore(this.executor, this.tenantId)
    return this.#otps
  }
}
