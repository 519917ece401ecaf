import type {
  Message,
  MessageFilter,
  MessageState,
  MessageStore,
  NewNotice,
  RetryOutcome,
} from '../../delivery/message.ts'
import type { Executor } from '../database.ts'
import { notices, unsent } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'

interface MessageRow {
  id: string
  kind: Message['kind']
  otp_id: string | null
  scope: Message['scope']
  delivery_method: Message['deliveryMethod']
  recipient: string
  locale: string | null
  state: MessageState
  attempts: number
  last_error: string | null
  due_at: number | null
  created_at: number
  expires_at: number
  settled_at: number | null
  sender: string | null
}

const columns = `id, kind, otp_id, scope, delivery_method, recipient, locale, state, attempts, last_error, due_at,
  created_at, expires_at, settled_at, sender`

const notify = statement(
  'message.notify',
  `INSERT INTO outbox (tenant_id, id, kind, otp_id, user_id, delivery_method, recipient, decoy, locale, state, attempts,
     due_at, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 'queued', 0, $9, $9, $10)`,
)

const latestOf = statement<{ state: MessageState }>(
  'message.latestOf',
  `SELECT state FROM outbox WHERE tenant_id = $1 AND otp_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
)

const find = statement<MessageRow>('message.find', `SELECT ${columns} FROM outbox WHERE tenant_id = $1 AND id = $2`)

/** An optional filter; the cast tells PostgreSQL the type of a parameter that may be NULL. */
const optional = (column: string, index: number) => `(CAST($${index} AS TEXT) IS NULL OR ${column} = $${index})`
const filters = `${optional('recipient', 4)} AND ${optional('state', 5)} AND ${optional('otp_id', 6)}`

/**
 * $2 the cursor, $3 the limit, $4-$6 the filters. The narrowest filter that is given picks the statement, and with it the
 * index; all of them are checked row by row.
 */
const listing = (name: string, narrow: string, key = 'id'): Statement<MessageRow> =>
  statement(
    `message.${name}`,
    `SELECT ${columns} FROM outbox WHERE ${narrow} AND ${key} < $2 AND ${filters} ORDER BY ${key} DESC LIMIT $3`,
  )

const list = listing('list', 'tenant_id = $1')
const listUnsent = listing('listUnsent', `tenant_id = $1 AND ${unsent}`)
/** An id that no index is ordered by: or the planner would walk all of the tenant's messages rather than sort a few. */
const unindexed = "COALESCE(id, '')"
const listOfOtp = listing('listOfOtp', 'tenant_id = $1 AND otp_id = $6', unindexed)
// The tenant is not asked for by itself, for the same reason: of all tenants' messages few are waiting at any time.
const listWaiting = listing('listWaiting', 'due_at > 0 AND (tenant_id = $1 OR due_at IS NULL)', unindexed)

function listingFor({ state, otpId }: MessageFilter): Statement<MessageRow> {
  if (otpId !== undefined) return listOfOtp
  if (state === 'failed' || state === 'cancelled') return listUnsent
  return state === 'queued' || state === 'sending' ? listWaiting : list
}

/** After every id there is, in the collations of all engines. */
const afterAll = 'zzzz'

const retry = statement<MessageRow>(
  'message.retry',
  `UPDATE outbox SET state = 'queued', due_at = $3, attempts = 0, settled_at = NULL
   WHERE tenant_id = $1 AND id = $2 AND state = 'failed' AND expires_at > $3 AND recipient <> ''
     AND (kind <> 'otp' OR EXISTS (SELECT 1 FROM otps WHERE otps.tenant_id = $1 AND otps.id = outbox.otp_id
       AND otps.state = 'pending' AND otps.expires_at > $3))
   RETURNING ${columns}`,
)

/**
 * $2 the user. Messages with a code, notices with an undo code among them, are found through the user's one-time
 * passwords; notices without a code through an index.
 */
const ofOtps = 'tenant_id = $1 AND otp_id IN (SELECT id FROM otps WHERE otps.tenant_id = $1 AND otps.user_id = $2)'
const ofNotices = `tenant_id = $1 AND user_id = $2 AND ${notices}`
const listOf = statement<MessageRow>(
  'message.listOf',
  `SELECT ${columns} FROM outbox WHERE ${ofOtps} UNION ALL SELECT ${columns} FROM outbox WHERE ${ofNotices}
   ORDER BY created_at, id`,
)
/** What was not sent yet has nowhere to go any more. */
const forget = `UPDATE outbox SET recipient = '', lease_owner = NULL, due_at = NULL,
   state = CASE WHEN due_at IS NULL THEN state ELSE 'cancelled' END`
const forgetOfOtps = statement('message.forgetOfOtps', `${forget} WHERE ${ofOtps}`)
const forgetNotices = statement('message.forgetNotices', `${forget} WHERE ${ofNotices}`)

/** One tenant's outgoing messages in any SQL database. */
export class SqlMessageStore implements MessageStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async notify(notice: NewNotice): Promise<void> {
    await this.#executor.effect(
      notify,
      this.#tenantId,
      notice.id,
      notice.kind,
      notice.otpId,
      notice.userId,
      notice.deliveryMethod,
      notice.recipient,
      notice.locale,
      notice.createdAt,
      notice.expiresAt,
    )
  }

  latestOf(otpId: string): Promise<MessageState | null> {
    return this.#executor.read(async (sql) => (await sql.row(latestOf, this.#tenantId, otpId))?.state ?? null)
  }

  find(id: string): Promise<Message | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && toMessage(row)
    })
  }

  list(request: MessageFilter & { readonly limit: number; readonly cursor: string | null }): Promise<Message[]> {
    const { limit, cursor, recipient = null, state = null, otpId = null } = request
    return this.#executor.read(async (sql) => {
      const before = cursor ?? afterAll
      const rows = await sql.rows(listingFor(request), this.#tenantId, before, limit, recipient, state, otpId)
      return rows.map(toMessage)
    })
  }

  listOf(userId: string): Promise<Message[]> {
    return this.#executor.read(async (sql) => (await sql.rows(listOf, this.#tenantId, userId)).map(toMessage))
  }

  forgetRecipients(userId: string): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(forgetOfOtps, this.#tenantId, userId)
      await sql.run(forgetNotices, this.#tenantId, userId)
    })
  }

  retry(id: string, now: number): Promise<RetryOutcome> {
    return this.#executor.write(async (sql) => {
      const retried = await sql.row(retry, this.#tenantId, id, now)
      const row = retried ?? (await sql.row(find, this.#tenantId, id))
      return { applied: retried !== null, message: row && toMessage(row) }
    })
  }
}

const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  kind: row.kind,
  otpId: row.otp_id,
  scope: row.scope,
  deliveryMethod: row.delivery_method,
  recipient: row.recipient,
  locale: row.locale,
  state: row.state,
  attempts: row.attempts,
  lastError: row.last_error,
  createdAt: row.created_at,
  nextAttemptAt: row.state === 'queued' ? row.due_at : null,
  expiresAt: row.expires_at,
  settledAt: row.settled_at,
  sender: row.sender,
})
