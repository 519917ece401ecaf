import type { NewMessage } from '../../delivery/message.ts'
import type { Otp, StoredOtpScope } from '../../otp/otp.ts'
import type { OtpStore, Outcome } from '../../otp/otp-store.ts'
import type { Executor } from '../database.ts'
import { type Statement, statement } from '../statement.ts'

/** A row of one-time passwords. */
export interface OtpRow {
  id: string
  scope: Otp['scope']
  state: Otp['state']
  user_id: string | null
  session_id: string | null
  decoy: number
  delivery_method: Otp['deliveryMethod']
  recipient: string
  locale: string | null
  sealed_code: string | null
  resend_interval_seconds: number
  max_resends: number
  max_verify_attempts: number
  resend_count: number
  wrong_codes: number
  created_at: number
  expires_at: number
  last_sent_at: number
  had_password: number | null
}

export const otpColumns = `id, scope, state, user_id, decoy, delivery_method, recipient, locale, sealed_code, resend_interval_seconds,
  max_resends, max_verify_attempts, resend_count, wrong_codes, created_at, expires_at, last_sent_at, session_id, had_password`
/** Parameters for `otpValues`, behind the tenant's. */
export const otpParameters = '$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20'
const named = 'tenant_id = $1 AND id = $2 AND scope = $3'

const find = statement<OtpRow>('otp.find', `SELECT ${otpColumns} FROM otps WHERE ${named}`)

const add = statement(
  'otp.add',
  `INSERT INTO otps (tenant_id, ${otpColumns})
   VALUES ($1, ${otpParameters})`,
)

/** Columns of the outbox that a sending fills, and what from: all but the message's id comes from the OTP's row. */
export const sendingColumns =
  'tenant_id, id, kind, otp_id, scope, user_id, delivery_method, recipient, decoy, locale, state, attempts, due_at, created_at, expires_at'
export const sendingValues = (messageId: string) =>
  `tenant_id, ${messageId}, 'otp', id, scope, user_id, delivery_method, recipient, decoy, locale,
     'queued', 0, last_sent_at, last_sent_at, expires_at`

const queueMessage = statement(
  'otp.queueMessage',
  `INSERT INTO outbox (${sendingColumns}) SELECT ${sendingValues('$3')} FROM otps WHERE tenant_id = $1 AND id = $2`,
)

/** $1 tenant, $2 id, $3 scope, $4 now. */
export const countResend = `UPDATE otps SET resend_count = resend_count + 1, last_sent_at = $4
   WHERE ${named} AND state = 'pending' AND expires_at > $4
     AND (resend_interval_seconds = 0 OR last_sent_at + resend_interval_seconds * 1000 <= $4)
     AND resend_count < max_resends`
const resend = statement<OtpRow>('otp.resend', `${countResend} RETURNING ${otpColumns}`)

const verify = statement<OtpRow>(
  'otp.verify',
  `UPDATE otps SET state = 'verified', sealed_code = NULL, verified_at = $4
   WHERE ${named} AND state = 'pending' AND expires_at > $4
   RETURNING ${otpColumns}`,
)

const countWrongCode = statement<OtpRow>(
  'otp.countWrongCode',
  `UPDATE otps SET wrong_codes = wrong_codes + 1,
     state = CASE WHEN wrong_codes + 1 >= max_verify_attempts THEN 'locked' ELSE state END,
     sealed_code = CASE WHEN wrong_codes + 1 >= max_verify_attempts THEN NULL ELSE sealed_code END
   WHERE ${named} AND state = 'pending' AND expires_at > $4
   RETURNING ${otpColumns}`,
)

const consume = statement<OtpRow>(
  'otp.consume',
  `UPDATE otps SET state = 'consumed', consumed_at = $4
   WHERE ${named} AND state = 'verified' AND expires_at > $4
   RETURNING ${otpColumns}`,
)

/** Codes that undo a change of address. */
const undo = 'address_recovery' satisfies StoredOtpScope
const live = `state IN ('pending', 'verified', 'locked')`
const cancelLive = statement(
  'otp.cancelLive',
  `UPDATE otps SET state = 'cancelled', sealed_code = NULL
   WHERE tenant_id = $1 AND user_id = $2 AND ${live} AND expires_at > $3 AND scope <> '${undo}'`,
)
const cancelRecoveries = statement(
  'otp.cancelRecoveries',
  `UPDATE otps SET state = 'cancelled', sealed_code = NULL
   WHERE tenant_id = $1 AND user_id = $2 AND ${live} AND expires_at > $4 AND scope = '${undo}'
     AND created_at >= $3`,
)

const attribute = statement('otp.attribute', 'UPDATE otps SET user_id = $3 WHERE tenant_id = $1 AND id = $2')
const listOf = statement<OtpRow>(
  'otp.listOf',
  `SELECT ${otpColumns} FROM otps WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, id`,
)
const forgetRecipients = statement(
  'otp.forgetRecipients',
  `UPDATE otps SET recipient = '' WHERE tenant_id = $1 AND user_id = $2`,
)

/** One tenant's one-time passwords in any SQL database. */
export class SqlOtpStore implements OtpStore {
  protected readonly executor: Executor
  protected readonly tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.executor = executor
    this.tenantId = tenantId
  }

  find(id: string, scope: StoredOtpScope): Promise<Otp | null> {
    return this.executor.read(async (sql) => {
      const row = await sql.row(find, this.tenantId, id, scope)
      return row && toOtp(row)
    })
  }

  async add(otp: Otp): Promise<void> {
    await this.executor.effect(add, this.tenantId, ...otpValues(otp))
  }

  issue(otp: Otp, message: NewMessage): Promise<void> {
    return this.executor.write(async (sql) => {
      await sql.run(add, this.tenantId, ...otpValues(otp))
      await sql.run(queueMessage, this.tenantId, otp.id, message.id)
    })
  }

  async resend(id: string, scope: StoredOtpScope, now: number, message: NewMessage): Promise<Outcome> {
    const changed = await this.executor.write(async (sql) => {
      const row = await sql.row(resend, this.tenantId, id, scope, now)
      if (row) await sql.run(queueMessage, this.tenantId, id, message.id)
      return row
    })
    return this.outcomeOf(changed, id, scope)
  }

  verify(id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    return this.#change(verify, id, scope, now)
  }

  countWrongCode(id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    return this.#change(countWrongCode, id, scope, now)
  }

  consume(id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    return this.#change(consume, id, scope, now)
  }

  async attribute(id: string, userId: string): Promise<void> {
    await this.executor.effect(attribute, this.tenantId, id, userId)
  }

  listOf(userId: string): Promise<Otp[]> {
    return this.executor.read(async (sql) => (await sql.rows(listOf, this.tenantId, userId)).map(toOtp))
  }

  async forgetRecipients(userId: string): Promise<void> {
    await this.executor.effect(forgetRecipients, this.tenantId, userId)
  }

  async cancelLive(userId: string, now: number): Promise<void> {
    await this.executor.effect(cancelLive, this.tenantId, userId, now)
  }

  async cancelRecoveries(userId: string, since: number, now: number): Promise<void> {
    await this.executor.effect(cancelRecoveries, this.tenantId, userId, since, now)
  }

  /** A guarded change; the rules of `otp.ts` explain why one did not apply. */
  async #change(change: Statement<OtpRow>, id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    const { rows } = await this.executor.effect(change, this.tenantId, id, scope, now)
    return this.outcomeOf(rows[0] ?? null, id, scope)
  }

  /** What a guarded change came to: the row it left, or, when it did not apply, the row as it is. */
  protected async outcomeOf(changed: OtpRow | null, id: string, scope: StoredOtpScope): Promise<Outcome> {
    return changed ? { applied: true, otp: toOtp(changed) } : { applied: false, otp: await this.find(id, scope) }
  }
}

const toOtp = (row: OtpRow): Otp => ({
  id: row.id,
  scope: row.scope,
  state: row.state,
  userId: row.user_id,
  sessionId: row.session_id,
  decoy: row.decoy === 1,
  deliveryMethod: row.delivery_method,
  recipient: row.recipient,
  locale: row.locale,
  sealedCode: row.sealed_code,
  resendIntervalSeconds: row.resend_interval_seconds,
  maxResends: row.max_resends,
  maxVerifyAttempts: row.max_verify_attempts,
  resendCount: row.resend_count,
  wrongCodes: row.wrong_codes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastSentAt: row.last_sent_at,
  hadPassword: row.had_password === null ? null : row.had_password === 1,
})

/** In the order of `otpColumns`. */
export const otpValues = (otp: Otp) =>
  [
    otp.id,
    otp.scope,
    otp.state,
    otp.userId,
    otp.decoy ? 1 : 0,
    otp.deliveryMethod,
    otp.recipient,
    otp.locale,
    otp.sealedCode,
    otp.resendIntervalSeconds,
    otp.maxResends,
    otp.maxVerifyAttempts,
    otp.resendCount,
    otp.wrongCodes,
    otp.createdAt,
    otp.expiresAt,
    otp.lastSentAt,
    otp.sessionId,
    otp.hadPassword === null ? null : otp.hadPassword ? 1 : 0,
  ] as const
