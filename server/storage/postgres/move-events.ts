import type { UnsealedLog } from '../../events/event-sealing.ts'
import type { HashedEvent } from '../../events/seal.ts'
import type { EventHead } from '../../events/sealed-log.ts'
import { systemStatement } from '../statement.ts'
import { queuedEvents } from '../stores/event-queue.ts'
import { leftOutText, oldestSql } from '../stores/event-queue-statements.ts'
import { dropUnusedHead, type MoveEvents, mostOfBatch, moveOneByOne } from '../stores/event-sealing.ts'
import { eventHeads, sealedEvents } from '../stores/sealed-log-columns.ts'
import type { PostgresEngine } from './postgres-engines.ts'

/** SQL of `withCommitment`, for events that were copied from SQLite. */
const commitment = `CASE taken.commitment WHEN '' THEN
    translate(encode(sha256(convert_to(COALESCE(taken.personal, taken.id), 'UTF8')), 'base64'), '+/=', '-_')
    ELSE taken.commitment END`

/** What a batch's hashes cover; `personal` stays in the database. */
const hashed = sealedEvents.pick(
  ...(['id', 'at', 'type', 'actorKind', 'actorId', 'subjectKind', 'subjectId'] as const),
  ...(['outcome', 'requestId', 'public', 'commitment'] as const),
)
interface MovedEvent {
  readonly tenantId: string
  readonly head: EventHead
  /** null for a head without events: their tenant was erased meanwhile, or another process took them. */
  readonly event: HashedEvent | null
}
/** The columns of the last SELECT: the tenant's id, those of the head, and those of the event, if there is one. */
const moved = {
  read: (row: readonly (string | number | null)[]): MovedEvent => ({
    tenantId: row[0] as string,
    head: eventHeads.read(row, 1),
    event: row[1 + eventHeads.width] === null ? null : hashed.read(row, 1 + eventHeads.width),
  }),
}

/**
 * Moves the oldest events of all logs, except of those that another process is sealing.
 *
 * One statement, because each one of a transaction sees another snapshot: what is deleted is what is stored and hashed.
 * `FOR UPDATE` reads the current head of a log, even if the statement's snapshot has an older one. The events are deleted
 * as a range of ids, because PostgreSQL would scan a queue of fifty thousand events for a list of keys.
 */
const move = systemStatement(
  'postgres.eventLog.move',
  `WITH oldest AS (${oldestSql}),
   known AS (
     SELECT tenant_id, ${eventHeads.columns} FROM event_heads WHERE tenant_id IN (SELECT tenant_id FROM oldest)
     FOR UPDATE SKIP LOCKED),
   created AS (
     INSERT INTO event_heads (tenant_id, ${eventHeads.names})
     SELECT DISTINCT oldest.tenant_id, 0, 0, '' FROM oldest
     WHERE NOT EXISTS (SELECT 1 FROM event_heads h WHERE h.tenant_id = oldest.tenant_id)
     ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant_id, ${eventHeads.columns}),
   heads AS (SELECT * FROM known UNION ALL SELECT * FROM created),
   taken AS (
     DELETE FROM event_queue
     WHERE id >= (SELECT MIN(id) FROM oldest) AND id <= (SELECT MAX(id) FROM oldest)
       AND tenant_id IN (SELECT tenant_id FROM heads) RETURNING *),
   added AS (
     INSERT INTO events (tenant_id, sequence, batch, ${queuedEvents.names})
     SELECT taken.tenant_id, heads.sequence + ROW_NUMBER() OVER of_log,
       heads.batch + 1 + (ROW_NUMBER() OVER of_log - 1) / ${mostOfBatch},
       ${queuedEvents.map((name) => (name === 'commitment' ? commitment : `taken.${name}`))}
     FROM taken JOIN heads ON heads.tenant_id = taken.tenant_id
     WINDOW of_log AS (PARTITION BY taken.tenant_id ORDER BY taken.id)
     RETURNING tenant_id, sequence, ${hashed.columns})
   SELECT heads.tenant_id, ${eventHeads.of('heads')}, ${hashed.of('added')}
   FROM heads LEFT JOIN added ON added.tenant_id = heads.tenant_id ORDER BY heads.tenant_id, added.sequence`,
  moved,
)

const moveTogether: MoveEvents = async (sql, most, leftOut) => {
  const rows = (await sql.rows(move, most, leftOutText(leftOut))).map((row) => moved.read(row))
  const logs: UnsealedLog[] = []
  for (const [tenantId, found] of Map.groupBy(rows, ({ tenantId }) => tenantId)) {
    const { head } = found[0]!
    const events = found.flatMap(({ event }) => event ?? [])
    if (events.length > 0) logs.push({ tenantId, head, events })
    else if (head.batch === 0) await sql.run(dropUnusedHead, tenantId)
  }
  return logs
}

export const moveEventsOf = (engine: Pick<PostgresEngine, 'claims' | 'dataModifyingCtes'>): MoveEvents =>
  engine.claims === 'one by one' || !engine.dataModifyingCtes ? moveOneByOne : moveTogether
