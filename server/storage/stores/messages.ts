import type { MessageState, MessageStore, NewNotice } from '../../delivery/message.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const notify = statement(
  'message.notify',
  `INSERT INTO outbox (tenant_id, id, kind, user_id, delivery_method, recipient, decoy, locale, state, attempts,
     due_at, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, 0, $7, 'queued', 0, $8, $8, $9)`,
)

const latestOf = statement<{ state: MessageState }>(
  'message.latestOf',
  `SELECT state FROM outbox WHERE tenant_id = $1 AND otp_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
)

/** One tenant's outgoing messages in any SQL database. */
export class SqlMessageStore implements MessageStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  notify(notice: NewNotice): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(
        notify,
        this.#tenantId,
        notice.id,
        notice.kind,
        notice.userId,
        notice.deliveryMethod,
        notice.recipient,
        notice.locale,
        notice.createdAt,
        notice.expiresAt,
      )
    })
  }

  latestOf(otpId: string): Promise<MessageState | null> {
    return this.#executor.read(async (sql) => (await sql.row(latestOf, this.#tenantId, otpId))?.state ?? null)
  }
}
