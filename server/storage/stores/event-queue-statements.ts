import type { Executor } from '../database.ts'
import { statement, systemStatement } from '../statement.ts'
import { queuedEvents } from './event-queue.ts'

/** SQL: whether the event is of none of these tenants. */
export function notLeftOut(parameter: string): string {
  return `${parameter} NOT LIKE '%|' || tenant_id || '|%'`
}

/** The parameter of `notLeftOut`: one text, because the number of a statement's parameters is fixed. */
export const leftOutText = (tenantIds: readonly string[]): string => `|${tenantIds.join('|')}|`

/** The keys of the oldest $1 queued events of all logs but those in $2, where `id` orders them. */
export const oldestSql = `SELECT tenant_id, id FROM event_queue WHERE ${notLeftOut('$2')} ORDER BY id LIMIT $1`

/** A row's place in the queue. */
type QueuePlace = string | number

/** How many of the newest events `newest` leaves out, so that erasing a user does not block other writers for long. */
const newestCount = 500

/**
 * The statements that find rows by their place in the queue.
 * @param place the column that orders the queue and finds its rows
 * @param start sorts before all places
 */
const statementsBy = (place: 'id' | 'rowid', start: QueuePlace, prefix: string) => ({
  start,
  oldestLogs: systemStatement<{ tenant_id: string }>(
    `${prefix}.oldestLogs`,
    `SELECT tenant_id FROM (
       SELECT tenant_id FROM event_queue WHERE ${notLeftOut('$2')} ORDER BY ${place} LIMIT $1) oldest
     GROUP BY tenant_id ORDER BY tenant_id`,
  ),
  oldestOfLog: statement<{ place: QueuePlace; at: number }>(
    `${prefix}.oldestOfLog`,
    `SELECT ${place} AS place, at FROM event_queue WHERE tenant_id = $1 ORDER BY ${place} LIMIT $2`,
  ),
  take: statement(
    `${prefix}.take`,
    `DELETE FROM event_queue WHERE ${place} = $2 AND tenant_id = $1 RETURNING ${queuedEvents.columns}`,
    queuedEvents,
  ),
  depth: systemStatement<{ events: number; oldest: number | null }>(
    `${prefix}.depth`,
    `SELECT (SELECT COUNT(*) FROM (SELECT ${place} FROM event_queue ORDER BY ${place} LIMIT $1) queued) AS events,
       (SELECT at FROM event_queue ORDER BY ${place} LIMIT 1) AS oldest`,
  ),
  oldestAt: systemStatement<{ at: number }>(
    `${prefix}.oldestAt`,
    `SELECT at FROM event_queue ORDER BY ${place} LIMIT 1`,
  ),
  /** Where the newest events of all logs begin: the queue has no index by tenant. */
  newest: systemStatement<{ place: QueuePlace }>(
    `${prefix}.newest`,
    `SELECT ${place} AS place FROM event_queue ORDER BY ${place} DESC LIMIT 1 OFFSET ${newestCount}`,
  ),
  eraseQueued: statement(
    `${prefix}.erase`,
    `UPDATE event_queue SET personal = NULL
     WHERE tenant_id = $1 AND ${place} > $3 AND personal IS NOT NULL
       AND ((subject_id = $2 AND subject_kind = 'user') OR (actor_id = $2 AND actor_kind = 'user'))`,
  ),
})

const byId = statementsBy('id', '', 'eventQueue')
const byRowId = statementsBy('rowid', 0, 'sqlite.eventQueue')

export type QueueStatements = typeof byId

/** The queue's key begins with `id`; where tables have row ids, these order it, and it has no key: an index takes time. */
export const queueStatements = ({ hasRowIds }: Pick<Executor, 'hasRowIds'>): QueueStatements =>
  hasRowIds ? byRowId : byId
