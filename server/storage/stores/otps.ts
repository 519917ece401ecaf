import type { NewMessage } from '../../delivery/message.ts'
import type { QueuedEvent } from '../../events/event.ts'
import type { Otp, StoredOtpScope } from '../../otp/otp.ts'
import type { OtpStore, Outcome } from '../../otp/otp-store.ts'
import { columnsOf, flag, number, type Row, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { type Statement, statement } from '../statement.ts'
import { addEvent, effectWithEvent, eventValues, recordable } from './event-queue.ts'
import { addMessage } from './messages.ts'
import { messageOf, newMessages } from './outbox-columns.ts'

export const otps = columnsOf<Otp>('otps', {
  id: text('id'),
  scope: text('scope'),
  state: text('state'),
  userId: text('user_id'),
  sessionId: text('session_id'),
  decoy: flag('decoy'),
  deliveryMethod: text('delivery_method'),
  recipient: text('recipient'),
  locale: text('locale'),
  sealedCode: text('sealed_code'),
  resendIntervalSeconds: number('resend_interval_seconds'),
  maxResends: number('max_resends'),
  maxVerifyAttempts: number('max_verify_attempts'),
  resendCount: number('resend_count'),
  wrongCodes: number('wrong_codes'),
  createdAt: number('created_at'),
  expiresAt: number('expires_at'),
  lastSentAt: number('last_sent_at'),
  hadPassword: flag('had_password'),
  addressVerifiedAt: number('address_verified_at'),
})

const named = 'tenant_id = $1 AND id = $2 AND scope = $3'

const find = statement('otp.find', `SELECT ${otps.columns} FROM otps WHERE ${named}`, otps)

const add = statement('otp.add', otps.tenantInsert)

/** $1 tenant, $2 id, $3 scope, $4 now. */
export const countResend = `UPDATE otps SET resend_count = resend_count + 1, last_sent_at = $4
   WHERE ${named} AND state = 'pending' AND expires_at > $4
     AND (resend_interval_seconds = 0 OR last_sent_at + resend_interval_seconds * 1000 <= $4)
     AND resend_count < max_resends`
const resend = statement('otp.resend', `${countResend} RETURNING ${otps.columns}`, otps)

const lockPending = statement(
  'otp.lockPending',
  `UPDATE otps SET state = state WHERE ${named} AND state = 'pending' AND expires_at > $4 RETURNING ${otps.columns}`,
  otps,
)

const verify = recordable(
  statement(
    'otp.verify',
    `UPDATE otps SET state = 'verified', sealed_code = NULL, verified_at = $4
   WHERE ${named} AND state = 'pending' AND expires_at > $4`,
  ),
)

const countWrongCode = statement(
  'otp.countWrongCode',
  `UPDATE otps SET wrong_codes = wrong_codes + 1,
     state = CASE WHEN wrong_codes + 1 >= max_verify_attempts THEN 'locked' ELSE state END,
     sealed_code = CASE WHEN wrong_codes + 1 >= max_verify_attempts THEN NULL ELSE sealed_code END
   WHERE ${named} AND state = 'pending' AND expires_at > $4
   RETURNING ${otps.columns}`,
  otps,
)

const consume = statement(
  'otp.consume',
  `UPDATE otps SET state = 'consumed', consumed_at = $5
   WHERE ${named} AND state = 'verified' AND expires_at > $4
   RETURNING ${otps.columns}`,
  otps,
)

/** The scope of codes that undo a change of address. */
export const recoveryScope = 'address_recovery' satisfies StoredOtpScope
/** The states of one that can still be cancelled. */
export const live = `state IN ('pending', 'verified', 'locked')`
const cancelLive = statement(
  'otp.cancelLive',
  `UPDATE otps SET state = 'cancelled', sealed_code = NULL
   WHERE tenant_id = $1 AND user_id = $2 AND ${live} AND expires_at > $3 AND scope <> '${recoveryScope}'`,
)

const attribute = statement(
  'otp.attribute',
  'UPDATE otps SET user_id = $3, session_id = $4 WHERE tenant_id = $1 AND id = $2',
)
const listOf = statement(
  'otp.listOf',
  `SELECT ${otps.columns} FROM otps WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, id`,
  otps,
)
const forgetRecipients = statement(
  'otp.forgetRecipients',
  `UPDATE otps SET recipient = '' WHERE tenant_id = $1 AND user_id = $2`,
)

/** The caller of a resend has not read the row, so the event names the one-time password. */
const aboutOwner = (event: QueuedEvent, { userId }: Otp): QueuedEvent =>
  userId === null ? event : { ...event, subjectKind: 'user', subjectId: userId }

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
      return row && otps.read(row)
    })
  }

  async add(otp: Otp): Promise<void> {
    await this.executor.effect(add, this.tenantId, ...otps.values(otp))
  }

  issue(otp: Otp, message: NewMessage, event: QueuedEvent | null = null): Promise<void> {
    return this.executor.write(async (sql) => {
      await sql.run(add, this.tenantId, ...otps.values(otp))
      await sql.run(addMessage, this.tenantId, ...newMessages.values(messageOf(otp, message)))
      if (event !== null) await sql.run(addEvent, this.tenantId, ...eventValues(sql, event))
    })
  }

  async resend(
    id: string,
    scope: StoredOtpScope,
    now: number,
    message: NewMessage,
    event: QueuedEvent | null = null,
  ): Promise<Outcome> {
    const changed = await this.executor.write(async (sql) => {
      const row = await sql.row(resend, this.tenantId, id, scope, now)
      if (row === null) return null
      const otp = otps.read(row)
      await sql.run(addMessage, this.tenantId, ...newMessages.values(messageOf(otp, message)))
      if (event !== null) await sql.run(addEvent, this.tenantId, ...eventValues(sql, aboutOwner(event, otp)))
      return row
    })
    return this.outcomeOf(changed, id, scope)
  }

  lockPending(id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    return this.#change(lockPending, id, scope, now)
  }

  /** Every caller has read the row. Returning it would cost SQLite a quarter of the statement's time. */
  async verify(otp: Otp, now: number, event: QueuedEvent | null = null): Promise<Outcome> {
    const { id, scope } = otp
    const isVerified = await effectWithEvent(this.executor, event, verify, this.tenantId, id, scope, now)
    if (!isVerified) return this.outcomeOf(null, id, scope)
    return { applied: true, otp: { ...otp, state: 'verified', sealedCode: null } }
  }

  countWrongCode(id: string, scope: StoredOtpScope, now: number): Promise<Outcome> {
    return this.#change(countWrongCode, id, scope, now)
  }

  consume(id: string, scope: StoredOtpScope, now: number, consumedAt = now): Promise<Outcome> {
    return this.#change(consume, id, scope, now, consumedAt)
  }

  async attribute(id: string, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> {
    await this.executor.effect(attribute, this.tenantId, id, userId, sessionId)
  }

  listOf(userId: string): Promise<Otp[]> {
    return this.executor.read(async (sql) => otps.readAll(await sql.rows(listOf, this.tenantId, userId)))
  }

  async forgetRecipients(userId: string): Promise<void> {
    await this.executor.effect(forgetRecipients, this.tenantId, userId)
  }

  async cancelLive(userId: string, now: number): Promise<void> {
    await this.executor.effect(cancelLive, this.tenantId, userId, now)
  }

  /** Changes the row if its condition holds; the rules of `otp.ts` explain why it did not. */
  async #change(
    change: Statement<Row<Otp>>,
    id: string,
    scope: StoredOtpScope,
    ...times: readonly number[]
  ): Promise<Outcome> {
    const { rows } = await this.executor.effect(change, this.tenantId, id, scope, ...times)
    return this.outcomeOf(rows[0] ?? null, id, scope)
  }

  /** The row after the change, or the current row when the change did not apply. */
  protected async outcomeOf(changed: Row<Otp> | null, id: string, scope: StoredOtpScope): Promise<Outcome> {
    return changed ? { applied: true, otp: otps.read(changed) } : { applied: false, otp: await this.find(id, scope) }
  }
}
