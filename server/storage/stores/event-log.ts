import { earliestUlid } from '../../core/ids.ts'
import type { EventFilter, EventLogStore, EventSection, ListedEvents } from '../../events/log/event-log.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../../events/sealed-log.ts'
import type { Row } from '../columns.ts'
import type { Executor, Parameter } from '../database.ts'
import { type Statement, statement } from '../statement.ts'
import { eventHeads, sealedEvents, storedBatches } from './sealed-log-columns.ts'

/** An optional filter; the cast tells PostgreSQL the type of a parameter that may be NULL. */
const optional = (column: string, index: number) => `(CAST($${index} AS TEXT) IS NULL OR ${column} = $${index})`

/**
 * A range of one index in the order of ids. `$2` and `$3` bound the id, `$4` is the limit or the offset, `$5` the value of
 * `column`. Compared as a row, because SQLite would read the range of ids of all users from the index on the id alone.
 */
const rangeOf = (column: string | null) =>
  column === null
    ? { where: 'tenant_id = $1 AND id >= $2 AND id < $3', newestFirst: 'ORDER BY id DESC' }
    : {
        where: `tenant_id = $1 AND (${column}, id) >= ($5, $2) AND (${column}, id) < ($5, $3)`,
        newestFirst: `ORDER BY ${column} DESC, id DESC`,
      }
/**
 * Conditions that no index has: they are checked row by row. CASE hides how many rows meet them from PostgreSQL, which
 * would otherwise expect none in a plan for any parameters, and sort the range with parallel workers.
 */
const rowByRow = (first: number) =>
  `type >= $${first} AND type < $${first + 1} AND ${optional('outcome', first + 2)} AND ${optional('request_id', first + 3)}`

/** How a list is read: in the order of the index of its most selective filter. */
interface Access {
  /** Reads everything in the range. */
  readonly all: Statement<Row<SealedEvent>>
  readonly filtered: Statement<Row<SealedEvent>>
  /** The id that is so many events into the range. */
  readonly place: Statement<{ id: string }>
}

function accessBy(name: string, column: string | null, conditions: string): Access {
  const { where, newestFirst } = rangeOf(column)
  const select = (condition: string) =>
    `SELECT ${sealedEvents.columns} FROM events WHERE ${where}${condition} ${newestFirst} LIMIT $4`
  return {
    all: statement(`eventLog.list${name}`, select(''), sealedEvents),
    filtered: statement(
      `eventLog.list${name}Filtered`,
      select(` AND CASE WHEN ${conditions} THEN 1 ELSE 0 END <> 0`),
      sealedEvents,
    ),
    place: statement(`eventLog.place${name}`, `SELECT id FROM events WHERE ${where} ${newestFirst} LIMIT 1 OFFSET $4`),
  }
}

const byTime = accessBy('', null, rowByRow(5))
// Hides the actor from the planner, which would otherwise read all events of that actor.
const bySubject = accessBy('OfSubject', 'subject_id', `${rowByRow(6)} AND ${optional("COALESCE(actor_id, '')", 10)}`)
const byActor = accessBy('OfActor', 'actor_id', rowByRow(6))

const between = statement(
  'eventLog.between',
  `SELECT ${sealedEvents.columns} FROM events WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3
   ORDER BY sequence LIMIT $4`,
  sealedEvents,
)
/** Counted by the index, as all numbers but those of changed rows are within the bounds. */
const outside = statement<{ rows: number }>(
  'eventLog.outside',
  `SELECT (SELECT COUNT(*) FROM events WHERE tenant_id = $1 AND sequence <= $2)
     + (SELECT COUNT(*) FROM events WHERE tenant_id = $1 AND sequence > $3)
     + (SELECT COUNT(*) FROM events WHERE tenant_id = $1 AND sequence IS NULL)
     + (SELECT COUNT(*) FROM event_batches WHERE tenant_id = $1 AND batch <= $2)
     + (SELECT COUNT(*) FROM event_batches WHERE tenant_id = $1 AND batch > $3)
     + (SELECT COUNT(*) FROM event_batches WHERE tenant_id = $1 AND batch IS NULL) AS rows`,
)
const head = statement(
  'eventLog.head',
  `SELECT ${eventHeads.columns} FROM event_heads WHERE tenant_id = $1`,
  eventHeads,
)
const batchesBetween = statement(
  'eventLog.batchesBetween',
  `SELECT ${storedBatches.columns} FROM event_batches WHERE tenant_id = $1 AND batch > $2 AND batch <= $3
   ORDER BY batch LIMIT $4`,
  storedBatches,
)
const batchesBefore = statement(
  'eventLog.batchesBefore',
  `SELECT ${storedBatches.columns} FROM event_batches WHERE tenant_id = $1 AND batch < $2 ORDER BY batch DESC LIMIT $3`,
  storedBatches,
)
const firstBatchSince = statement<{ batch: number }>(
  'eventLog.firstBatchSince',
  `SELECT batch FROM event_batches WHERE tenant_id = $1 AND sealed_at >= $2 ORDER BY sealed_at, batch LIMIT 1`,
)
const lastBatchUntil = statement<{ batch: number }>(
  'eventLog.lastBatchUntil',
  `SELECT batch FROM event_batches WHERE tenant_id = $1 AND sealed_at < $2 ORDER BY sealed_at DESC, batch DESC LIMIT 1`,
)

/** Whether the user in a column does not exist; an erasure of the user is then the reason that a part is missing. */
const isGone = (role: 'subject' | 'actor') =>
  `(events.${role}_kind = 'user' AND NOT EXISTS
     (SELECT 1 FROM users WHERE users.tenant_id = $1 AND users.id = events.${role}_id))`
const notErased = statement<{ sequence: number }>(
  'erasedEvents.unexplained',
  `SELECT sequence FROM events
   WHERE events.tenant_id = $1 AND sequence >= $2 AND sequence <= $3 AND personal IS NULL
     AND NOT (${isGone('subject')} OR ${isGone('actor')})
   ORDER BY sequence`,
)

/** Events that one statement examines at most, so that a filter that few meet does not keep SQLite from other work. */
const window = 500
/** Events that one section examines at most. */
const mostExamined = 20_000
/** Sorts after every id and every type, which consist of letters, digits, dots and underscores. */
const behind = '~'
const noEvents: EventHead = { batch: 0, sequence: 0, hash: '' }

/** One sealed log in any SQL database. */
export class SqlEventLogStore implements EventLogStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async list(filter: EventFilter, { limit, before }: EventSection): Promise<ListedEvents> {
    const { actorId = null, subjectId = null } = filter
    const [from, to] = boundsOf(filter, before)
    const [access, ...key] =
      subjectId !== null ? [bySubject, subjectId] : actorId !== null ? [byActor, actorId] : [byTime]
    const conditions = [...typeRange(filter.type), filter.outcome ?? null, filter.requestId ?? null]
    if (subjectId !== null) conditions.push(actorId)
    const isFiltered = filter.type !== undefined || conditions.slice(2).some((value) => value !== null)
    if (!isFiltered) return cut(await this.#rows(access.all, from, to, limit + 1, ...key), limit)
    const rows: SealedEvent[] = []
    let end = to
    for (let examined = 0; examined < mostExamined; examined += window) {
      const start = await this.#place(access, from, end, key)
      const wanted = limit + 1 - rows.length
      rows.push(...(await this.#rows(access.filtered, start ?? from, end, wanted, ...key, ...conditions)))
      if (start === null || rows.length > limit) return cut(rows, limit)
      end = start
      if (rows.length === limit) break
    }
    return { rows, next: end }
  }

  async listAbout(userId: string, { limit, before, since }: EventSection & Pick<EventFilter, 'since'>) {
    const [from, to] = boundsOf({ since }, before)
    const ranges = [bySubject, byActor].map(({ all }) => this.#rows(all, from, to, limit + 1, userId))
    // Most events of a user are in both ranges.
    const merged = new Map((await Promise.all(ranges)).flat().map((event) => [event.id, event]))
    return cut(
      [...merged.values()].sort((one, other) => (one.id < other.id ? 1 : -1)),
      limit,
    )
  }

  between(after: number, upTo: number, limit: number): Promise<SealedEvent[]> {
    return this.#rows(between, after, upTo, limit)
  }

  notErased(first: number, last: number): Promise<number[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(notErased, this.#tenantId, first, last)).map(({ sequence }) => sequence),
    )
  }

  outside(least: number, most: number): Promise<number> {
    return this.#executor.read(async (sql) => (await sql.row(outside, this.#tenantId, least, most))?.rows ?? 0)
  }

  head(): Promise<EventHead> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(head, this.#tenantId)
      return row === null ? noEvents : eventHeads.read(row)
    })
  }

  batchesBetween(after: number, upTo: number, limit: number): Promise<StoredBatch[]> {
    return this.#batches(batchesBetween, after, upTo, limit)
  }

  batchesBefore(batch: number | null, limit: number): Promise<StoredBatch[]> {
    return this.#batches(batchesBefore, batch ?? Number.MAX_SAFE_INTEGER, limit)
  }

  firstBatchSince(time: number): Promise<number | null> {
    return this.#batch(firstBatchSince, time)
  }

  lastBatchUntil(time: number): Promise<number | null> {
    return this.#batch(lastBatchUntil, time)
  }

  /** The oldest of the newest `window` events of a range; null when it has fewer. */
  #place(access: Access, from: string, to: string, key: readonly string[]): Promise<string | null> {
    return this.#executor.read(
      async (sql) => (await sql.row(access.place, this.#tenantId, from, to, window - 1, ...key))?.id ?? null,
    )
  }

  #rows(from: Statement<Row<SealedEvent>>, ...parameters: Parameter[]): Promise<SealedEvent[]> {
    return this.#executor.read(async (sql) => sealedEvents.readAll(await sql.rows(from, this.#tenantId, ...parameters)))
  }

  #batches(from: Statement<Row<StoredBatch>>, ...parameters: Parameter[]): Promise<StoredBatch[]> {
    return this.#executor.read(async (sql) =>
      storedBatches.readAll(await sql.rows(from, this.#tenantId, ...parameters)),
    )
  }

  #batch(from: Statement<{ batch: number }>, time: number): Promise<number | null> {
    return this.#executor.read(async (sql) => (await sql.row(from, this.#tenantId, time))?.batch ?? null)
  }
}

/** The section, and where the next one continues if there are more rows than it holds. */
function cut(rows: SealedEvent[], limit: number): ListedEvents {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? shown.at(-1)!.id : null }
}

/** Ids begin with their time, so that times are bounds of ids. */
function boundsOf({ since, until }: Pick<EventFilter, 'since' | 'until'>, before: string | null): [string, string] {
  const to = until === undefined ? behind : earliestUlid(until)
  return [since === undefined ? '' : earliestUlid(since), before !== null && before < to ? before : to]
}

/** No type lies between a text and its successor, nor between `session.` and `session/`. */
function typeRange(type: string | undefined): [from: string, to: string] {
  if (type === undefined) return ['', behind]
  if (!type.endsWith('.*')) return [type, `${type}\u0001`]
  const prefix = type.slice(0, -1)
  return [prefix, `${prefix.slice(0, -1)}/`]
}
