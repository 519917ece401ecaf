import type { Inbox, InboxEntry, InboxFilter, PostedEntry } from '../../delivery/inbox.ts'
import { columnsOf, number, type Row, text } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'

const entries = columnsOf<InboxEntry>('inbox', {
  tenantId: text('tenant_id'),
  id: text('id'),
  otpId: text('otp_id'),
  scope: text('scope'),
  deliveryMethod: text('delivery_method'),
  recipient: text('recipient'),
  sealed: text('sealed'),
  createdAt: number('created_at'),
})
const places = columnsOf<Pick<PostedEntry, 'place'>>('inbox', { place: number('place') })
const posted = entries.and(places)

const latest = 'ORDER BY place DESC LIMIT'
/** An optional filter; the cast tells PostgreSQL the type of a parameter that may be NULL. */
const optional = (column: string, index: number) => `(CAST($${index} AS TEXT) IS NULL OR ${column} = $${index})`

/** Outside VALUES, PostgreSQL takes a parameter without a cast for text. */
const typedParameter = (name: string, index: number) =>
  name === 'place' || name === 'created_at' ? `CAST($${index + 1} AS BIGINT)` : `$${index + 1}`

/**
 * Takes one place per entry and returns the last. The row lock keeps other transactions from taking places until the
 * commit.
 */
const takePlaces = systemStatement<{ place: number }>(
  'inbox.takePlaces',
  'UPDATE inbox_end SET place = place + $1 WHERE id = 1 RETURNING place',
)

/**
 * After a crash a message may be delivered twice; its second entry is ignored. So is an entry of a tenant that has been
 * erased, which must not roll back the results recorded in the same transaction.
 */
const add = systemStatement(
  'inbox.add',
  `INSERT INTO inbox (${posted.names})
   SELECT ${posted.map(typedParameter)} FROM tenants WHERE id = $1
   ON CONFLICT (tenant_id, id) DO NOTHING`,
)

// The most selective filter decides which statement, and so which index, is used. The others are checked row by row.
const ofOtp = systemStatement(
  'inbox.ofOtp',
  `SELECT ${posted.columns} FROM inbox WHERE otp_id = $1 AND ${optional('recipient', 2)} AND ${optional('tenant_id', 3)}
   ${latest} $4`,
  posted,
)
const ofRecipient = systemStatement(
  'inbox.ofRecipient',
  `SELECT ${posted.columns} FROM inbox WHERE recipient = $1 AND ${optional('tenant_id', 2)} ${latest} $3`,
  posted,
)
/** The latest by id, which is the message's: the order of queueing, which has an index. */
const ofTenant = systemStatement(
  'inbox.ofTenant',
  `SELECT ${posted.columns} FROM inbox WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2`,
  posted,
)
const ofAll = systemStatement('inbox.ofAll', `SELECT ${posted.columns} FROM inbox ${latest} $1`, posted)

const after = systemStatement(
  'inbox.after',
  `SELECT ${posted.columns} FROM inbox WHERE place > $1 ORDER BY place LIMIT $2`,
  posted,
)
/** Scans back from the latest entry; the caller reads the scanned entries next anyway. */
const placeOf = systemStatement<{ place: number }>(
  'inbox.placeOf',
  'SELECT place FROM inbox WHERE id = $1 ORDER BY place DESC LIMIT 1',
)
const latestPlace = systemStatement<{ place: number }>('inbox.latestPlace', 'SELECT place FROM inbox_end WHERE id = 1')

/** Adds entries inside the caller's transaction; one whose id is already stored is ignored. */
export async function addInboxEntries(sql: Sql, added: readonly InboxEntry[]): Promise<void> {
  const end = await sql.row(takePlaces, added.length)
  const before = (end?.place ?? 0) - added.length
  await Promise.all(
    added.map((entry, index) => sql.run(add, ...posted.values({ ...entry, place: before + index + 1 }))),
  )
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
    await this.#executor.write((sql) => addInboxEntries(sql, entries))
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
      return entries.readAll(rows.sort((a, b) => placeIn(a) - placeIn(b)))
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

const placeIn = (row: Row<PostedEntry>): number => places.read(row, entries.width).place
