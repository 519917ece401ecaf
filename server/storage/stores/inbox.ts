import type { Inbox, InboxEntry, InboxFilter, PostedEntry } from '../../delivery/inbox.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'
import { optional } from './filters.ts'
import { posted } from './outbox-columns.ts'

/** A cleared entry has a negative place (`message.clearPosted`). */
const isShown = 'place > 0'
const latest = 'ORDER BY place DESC LIMIT'

/** The row lock keeps other transactions from taking places until the commit. */
const take = systemStatement<{ place: number }>(
  'inbox.takePlaces',
  'UPDATE inbox_end SET place = place + $1 WHERE id = 1 RETURNING place',
)

/** An operator's test message, which no worker sends. One whose id is already stored is ignored. */
const addTest = systemStatement(
  'inbox.addTest',
  `INSERT INTO outbox (tenant_id, id, otp_id, scope, delivery_method, posted_to, sealed, settled_at, place,
     kind, recipient, decoy, state, attempts, created_at, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, CAST($8 AS BIGINT), CAST($9 AS BIGINT),
     'test', '', 0, 'sent', 0, CAST($8 AS BIGINT), CAST($8 AS BIGINT) FROM tenants WHERE id = $1
   ON CONFLICT (id, tenant_id) DO NOTHING`,
)

// The most selective filter decides which statement, and so which index, is used. The others are checked row by row.
const ofOtp = systemStatement(
  'inbox.ofOtp',
  `SELECT ${posted.columns} FROM outbox WHERE otp_id = $1 AND ${isShown} AND ${optional('posted_to', 2)} AND ${optional('tenant_id', 3)}
   ${latest} $4`,
  posted,
)
const ofRecipient = systemStatement(
  'inbox.ofRecipient',
  `SELECT ${posted.columns} FROM outbox WHERE posted_to = $1 AND ${isShown} AND ${optional('tenant_id', 2)} ${latest} $3`,
  posted,
)
/** The latest by id, which is the message's: the order of queueing, which has an index. */
const ofTenant = systemStatement(
  'inbox.ofTenant',
  `SELECT ${posted.columns} FROM outbox WHERE tenant_id = $1 AND ${isShown} ORDER BY id DESC LIMIT $2`,
  posted,
)
const ofAll = systemStatement(
  'inbox.ofAll',
  `SELECT ${posted.columns} FROM outbox WHERE ${isShown} ${latest} $1`,
  posted,
)

const after = systemStatement(
  'inbox.after',
  `SELECT ${posted.columns} FROM outbox WHERE place > $1 ORDER BY place LIMIT $2`,
  posted,
)
const placeOf = systemStatement<{ place: number }>(
  'inbox.placeOf',
  `SELECT CASE WHEN place < 0 THEN -place ELSE place END AS place FROM outbox
   WHERE id = $1 AND place IS NOT NULL ORDER BY 1 DESC LIMIT 1`,
)
const latestPlace = systemStatement<{ place: number }>('inbox.latestPlace', 'SELECT place FROM inbox_end WHERE id = 1')

/**
 * Takes `count` places inside the caller's transaction.
 * @returns the first of them
 */
export async function takePlaces(sql: Sql, count: number): Promise<number> {
  return (await sql.row(take, count))!.place - count + 1
}

/** The testing channel's inbox in any SQL database. */
export class SqlInbox implements Inbox {
  readonly #executor: Executor
  readonly #watchers = new Set<(posted: readonly InboxEntry[]) => void>()

  constructor(executor: Executor) {
    this.#executor = executor
  }

  async post(entries: readonly InboxEntry[]): Promise<void> {
    if (entries.length === 0) return
    await this.#executor.write(async (sql) => {
      const first = await takePlaces(sql, entries.length)
      await Promise.all(
        entries.map(({ tenantId, id, otpId, scope, deliveryMethod, recipient, sealed, createdAt }, index) =>
          sql.run(addTest, tenantId, id, otpId, scope, deliveryMethod, recipient, sealed, createdAt, first + index),
        ),
      )
    })
    this.tell(entries)
  }

  list(filter: InboxFilter, limit: number): Promise<InboxEntry[]> {
    const { tenantId = null, otpId = null, recipient = null } = filter
    return this.#executor.read(async (sql) => {
      const rows =
        otpId !== null
          ? await sql.rows(ofOtp, otpId, recipient, tenantId, limit)
          : recipient !== null
            ? await sql.rows(ofRecipient, recipient, tenantId, limit)
            : tenantId !== null
              ? await sql.rows(ofTenant, tenantId, limit)
              : await sql.rows(ofAll, limit)
      return posted
        .readAll(rows)
        .sort((a, b) => a.place - b.place)
        .map(({ place, ...entry }) => entry)
    })
  }

  after(place: number, limit: number): Promise<PostedEntry[]> {
    return this.#executor.read(async (sql) => posted.readAll(await sql.rows(after, place, limit)))
  }

  placeOf(id: string): Promise<number | null> {
    return this.#executor.read(async (sql) => (await sql.row(placeOf, id))?.place ?? null)
  }

  latestPlace(): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(latestPlace))?.place ?? 0)
  }

  watch(listener: (posted: readonly InboxEntry[]) => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }

  /** Tells the watchers what was posted and is stored. */
  tell(posted: readonly InboxEntry[]): void {
    for (const told of this.#watchers) told(posted)
  }
}
