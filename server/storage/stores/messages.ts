import type {
  Message,
  MessageCounts,
  MessageFilter,
  MessageState,
  MessageStore,
  NewNotice,
  RetryOutcome,
} from '../../delivery/message.ts'
import type { Row } from '../columns.ts'
import type { Executor } from '../database.ts'
import { notices, unsent } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'
import { optional } from './filters.ts'
import { readCounts } from './message-counts.ts'
import { byId, messages, newMessages, queuedAt } from './outbox-columns.ts'

/** Test messages in the testing channel (`inbox.ts`) are not in the operator's list. */
const isNoTest = "kind <> 'test'"

/** Stores a new message. */
export const addMessage = statement('message.add', newMessages.tenantInsert)

const latestOf = statement<{ state: MessageState }>(
  'message.latestOf',
  `SELECT state FROM outbox WHERE tenant_id = $1 AND otp_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
)

const find = statement(
  'message.find',
  `SELECT ${messages.columns} FROM outbox WHERE tenant_id = $1 AND id = $2 AND ${isNoTest}`,
  messages,
)

const filters = `${optional('recipient', 4)} AND ${optional('state', 5)} AND ${optional('otp_id', 6)} AND ${isNoTest}`

/**
 * $2 is the cursor, $3 the limit, $4-$6 the filters, $7 the first id of the section. The most selective filter decides which
 * statement, and so which index, is used; all filters are checked row by row.
 */
const listing = (name: string, narrow: string, key = 'id'): Statement<Row<Message>> =>
  statement(
    `message.${name}`,
    `SELECT ${messages.columns} FROM outbox WHERE ${narrow} AND ${key} < $2 AND ${key} >= $7 AND ${filters}
     ORDER BY ${key} DESC LIMIT $3`,
    messages,
  )

/** The statements of a list. */
interface Access {
  readonly list: Statement<Row<Message>>
  /** Finds the first id of the section before $2. Without it, the list is one section. */
  readonly place?: Statement<{ id: string }>
}

const inSections = (name: string, narrow: string): Access => ({
  list: listing(`list${name}`, narrow),
  place: statement(
    `message.place${name}`,
    `SELECT id FROM outbox WHERE ${narrow} AND id < $2 ORDER BY id DESC LIMIT 1 OFFSET $3`,
  ),
})

const all = inSections('', 'tenant_id = $1')
const allUnsent = inSections('Unsent', `tenant_id = $1 AND ${unsent}`)
/**
 * Hides the id from the planner, which would otherwise scan all messages of the tenant in index order instead of
 * sorting a few.
 */
const unindexed = "COALESCE(id, '')"
const listOfOtp = listing('listOfOtp', 'tenant_id = $1 AND otp_id = $6', unindexed)
// For the same reason the tenant is not a condition by itself: few messages of all tenants wait at any time.
const listWaiting = listing('listWaiting', 'due_at > 0 AND (tenant_id = $1 OR due_at IS NULL)', unindexed)

function accessFor({ state, otpId, recipient }: MessageFilter): Access {
  if (otpId !== undefined) return { list: listOfOtp }
  // Every message is in the list, so it ends after as many as are wanted.
  if (state === undefined && recipient === undefined) return { list: all.list }
  if (state === 'failed' || state === 'cancelled') return allUnsent
  return state === 'queued' || state === 'sending' ? { list: listWaiting } : all
}

/** Messages that one statement examines at most, so that a filter that few meet does not keep SQLite from other work. */
const window = 2_000

/** Sorts after every id in the collations of all engines. */
const afterAll = 'zzzz'

const retry = statement(
  'message.retry',
  `UPDATE outbox SET state = 'queued', due_at = $3, attempts = 0, settled_at = NULL
   WHERE tenant_id = $1 AND id = $2 AND state = 'failed' AND expires_at > $3 AND recipient <> ''
     AND (kind <> 'otp' OR EXISTS (SELECT 1 FROM otps WHERE otps.tenant_id = $1 AND otps.id = outbox.otp_id
       AND otps.state = 'pending' AND otps.expires_at > $3))
   RETURNING ${messages.columns}`,
  messages,
)

/**
 * $2 is the user. Messages with a code, which include notices with an undo code, are found through the user's one-time
 * passwords; notices without a code through an index.
 */
const ofOtps = `tenant_id = $1 AND ${isNoTest}
   AND otp_id IN (SELECT id FROM otps WHERE otps.tenant_id = $1 AND otps.user_id = $2)`
const ofNotices = `tenant_id = $1 AND user_id = $2 AND ${notices}`
const listOf = statement(
  'message.listOf',
  `SELECT ${messages.columns} FROM outbox WHERE ${ofOtps} UNION ALL SELECT ${messages.columns} FROM outbox WHERE ${ofNotices}
   ORDER BY created_at, id`,
  messages,
)
/** A message that is not sent yet loses its recipient, so it is cancelled. */
const forget = statement(
  'message.forget',
  `UPDATE outbox SET recipient = '', lease_owner = NULL, due_at = NULL,
     state = CASE WHEN due_at IS NULL THEN state ELSE 'cancelled' END
   WHERE tenant_id = $1 AND id = $2`,
)

/**
 * The place stays as a negative one, so that a reader who continues after the cleared message still finds where it was. As
 * in `listWaiting`, the tenant is not a condition by itself: few messages have a place in the range.
 */
const clearPosted = statement(
  'message.clearPosted',
  `UPDATE outbox SET place = -place, posted_to = NULL, sealed = NULL
   WHERE place > $2 AND place <= $3 AND (tenant_id = $1 OR place IS NULL)`,
)

/** One tenant's messages in any SQL database. */
export class SqlMessageStore implements MessageStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async notify(notice: NewNotice): Promise<void> {
    const stored = { ...notice, ...queuedAt(notice.createdAt), scope: null, decoy: false }
    await this.#executor.effect(addMessage, this.#tenantId, ...newMessages.values(stored))
  }

  latestOf(otpId: string): Promise<MessageState | null> {
    return this.#executor.read(async (sql) => (await sql.row(latestOf, this.#tenantId, otpId))?.state ?? null)
  }

  find(id: string): Promise<Message | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, this.#tenantId, id)
      return row && messages.read(row)
    })
  }

  async list(request: MessageFilter & { readonly limit: number; readonly cursor: string | null }): Promise<Message[]> {
    const { limit, cursor, recipient = null, state = null, otpId = null } = request
    const { list, place } = accessFor(request)
    const found: Message[] = []
    let end = cursor ?? afterAll
    for (;;) {
      const start = await this.#executor.read(async (sql) => {
        const first = place && (await sql.row(place, this.#tenantId, end, window - 1))
        const filter = [recipient, state, otpId, first?.id ?? ''] as const
        found.push(...messages.readAll(await sql.rows(list, this.#tenantId, end, limit - found.length, ...filter)))
        return first?.id
      })
      if (start === undefined || found.length >= limit) return found
      end = start
    }
  }

  listOf(userId: string): Promise<Message[]> {
    return this.#executor.read(async (sql) => messages.readAll(await sql.rows(listOf, this.#tenantId, userId)))
  }

  count(since: number): Promise<MessageCounts> {
    return this.#executor.read((sql) => readCounts(sql, this.#tenantId, since))
  }

  forgetRecipients(userId: string): Promise<void> {
    return this.#executor.write(async (sql) => {
      const found = messages.readAll(await sql.rows(listOf, this.#tenantId, userId))
      await Promise.all(found.sort(byId).map(({ id }) => sql.run(forget, this.#tenantId, id)))
    })
  }

  clearPosted(after: number, until: number): Promise<number> {
    return this.#executor.write(async (sql) => sql.run(clearPosted, this.#tenantId, after, until))
  }

  retry(id: string, now: number): Promise<RetryOutcome> {
    return this.#executor.write(async (sql) => {
      const retried = await sql.row(retry, this.#tenantId, id, now)
      const row = retried ?? (await sql.row(find, this.#tenantId, id))
      return { applied: retried !== null, message: row && messages.read(row) }
    })
  }
}
