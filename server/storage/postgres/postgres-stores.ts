import type { OtpScope } from '../../../contract/otp.ts'
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
import { type ClaimedRow, claimSql } from '../stores/outbox.ts'
import { TenantStores } from '../stores/tenant-stores.ts'

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

/** Messages that another process is just claiming are passed over, not waited for. */
export const claimUnlocked = systemStatement<ClaimedRow>('postgres.outbox.claim', claimSql(' FOR UPDATE SKIP LOCKED'))

class PostgresOtpStore extends SqlOtpStore {
  override async issue(otp: Otp, message: NewMessage): Promise<void> {
    await this.executor.effect(issue, this.tenantId, ...otpValues(otp), message.id)
  }

  override async resend(id: string, scope: OtpScope, now: number, message: NewMessage): Promise<Outcome> {
    const { rows } = await this.executor.effect(resend, this.tenantId, id, scope, now, message.id)
    return this.outcomeOf(rows[0] ?? null, id, scope)
  }
}

/** The stores of one tenant, where PostgreSQL does better than any SQL database can. */
export class PostgresTenantStores extends TenantStores {
  #otps?: OtpStore

  override get otps(): OtpStore {
    this.#otps ??= new PostgresOtpStore(this.executor, this.tenantId)
    return this.#otps
  }
}
