import type {
  BatchRange,
  EventFilter,
  EventLogStore,
  EventSection,
  ListedEvents,
  LostPart,
  SealingTimes,
} from '../../events/log/event-log.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../../events/sealed-log.ts'
import type { Row } from '../columns.ts'
import type { Executor, Parameter } from '../database.ts'
import { aboutAnother } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'
import { SqlEventLists } from './event-lists.ts'
import { eventHeads, sealedEvents, storedBatches } from './sealed-log-columns.ts'

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
/** The count keeps PostgreSQL from reading the log from both of its ends, as it does for MIN and MAX alone. */
const batchesSealed = statement<{ batches: number; first: number; last: number }>(
  'eventLog.batchesSealed',
  `SELECT COUNT(*) AS batches, MIN(batch) AS first, MAX(batch) AS last FROM event_batches
   WHERE tenant_id = $1 AND sealed_at >= $2 AND sealed_at < $3`,
)

const mentions = statement<{ id: string }>(
  'eventLog.mentions',
  `SELECT id FROM events WHERE tenant_id = $1 AND subject_id = $2
   UNION ALL SELECT id FROM events WHERE tenant_id = $1 AND actor_id = $2 AND ${aboutAnother} LIMIT 1`,
)

/** Whether the user in a column does not exist; an erasure of the user is then the reason that a part is missing. */
const isGone = (role: 'subject' | 'actor') =>
  `(events.${role}_kind = 'user' AND NOT EXISTS
     (SELECT 1 FROM users WHERE users.tenant_id = $1 AND users.id = events.${role}_id))`
const userIn = (role: 'subject' | 'actor') => `CASE WHEN ${role}_kind = 'user' THEN ${role}_id END AS ${role}`
const notErased = statement<{ sequence: number; at: number; subject: string | null; actor: string | null }>(
  'erasedEvents.unexplained',
  `SELECT sequence, at, ${userIn('subject')}, ${userIn('actor')} FROM events
   WHERE events.tenant_id = $1 AND sequence >= $2 AND sequence <= $3 AND personal IS NULL
     AND NOT (${isGone('subject')} OR ${isGone('actor')})
   ORDER BY sequence`,
)

const noEvents: EventHead = { batch: 0, sequence: 0, hash: '' }

/** One sealed log in any SQL database. */
export class SqlEventLogStore implements EventLogStore {
  readonly #executor: Executor
  readonly #tenantId: string
  readonly #lists: SqlEventLists

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
    this.#lists = new SqlEventLists(executor, tenantId)
  }

  list(filter: EventFilter, section: EventSection): Promise<ListedEvents> {
    return this.#lists.list(filter, section)
  }

  listAbout(userId: string, section: Parameters<EventLogStore['listAbout']>[1]): Promise<ListedEvents> {
    return this.#lists.listAbout(userId, section)
  }

  between(after: number, upTo: number, limit: number): Promise<SealedEvent[]> {
    return this.#rows(between, after, upTo, limit)
  }

  mentions(id: string): Promise<boolean> {
    return this.#executor.read(async (sql) => (await sql.row(mentions, this.#tenantId, id)) !== null)
  }

  notErased(first: number, last: number): Promise<LostPart[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(notErased, this.#tenantId, first, last)).map(({ sequence, at, subject, actor }) => ({
        sequence,
        at,
        userIds: [...new Set([subject, actor])].filter((id) => id !== null),
      })),
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

  batchesSealed({ since = 0, until = Number.MAX_SAFE_INTEGER }: SealingTimes): Promise<BatchRange | null> {
    return this.#executor.read(async (sql) => {
      const { batches, first, last } = (await sql.row(batchesSealed, this.#tenantId, since, until))!
      return batches === 0 ? null : { first, last }
    })
  }

  #rows(from: Statement<Row<SealedEvent>>, ...parameters: Parameter[]): Promise<SealedEvent[]> {
    return this.#executor.read(async (sql) => sealedEvents.readAll(await sql.rows(from, this.#tenantId, ...parameters)))
  }

  #batches(from: Statement<Row<StoredBatch>>, ...parameters: Parameter[]): Promise<StoredBatch[]> {
    return this.#executor.read(async (sql) =>
      storedBatches.readAll(await sql.rows(from, this.#tenantId, ...parameters)),
    )
  }
}
