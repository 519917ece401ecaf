import type { QueuedEvent } from '../../events/event.ts'
import type { EventSealing, QueueDepth, Sealing, UnsealedLog } from '../../events/event-sealing.ts'
import type { EventBatch, EventHead } from '../../events/sealed-log.ts'
import type { Executor, Sql } from '../database.ts'
import { statement, systemStatement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { queuedEvents } from './event-queue.ts'
import { eventBatches, eventHeads, sealedEvents } from './sealed-log-columns.ts'

/** The keys of the oldest queued events of all logs. */
export const oldestSql = (most: string) => `SELECT tenant_id, id FROM event_queue ORDER BY id LIMIT ${most}`

const oldest = systemStatement<{ tenant_id: string; id: string }>('eventQueue.oldest', oldestSql('$1'))
const take = statement(
  'eventQueue.take',
  `DELETE FROM event_queue WHERE id = $2 AND tenant_id = $1 RETURNING ${queuedEvents.columns}`,
  queuedEvents,
)
const depth = systemStatement<{ events: number; oldest: number | null }>(
  'eventQueue.depth',
  `SELECT COUNT(*) AS events, MIN(at) AS oldest FROM (SELECT at FROM event_queue ORDER BY id LIMIT $1) queued`,
)

const addHead = statement('eventLog.addHead', `${eventHeads.tenantInsert} ON CONFLICT (tenant_id) DO NOTHING`)
/** Locks the head's row until the transaction ends: another process waits, or conflicts. */
const lockHead = statement(
  'eventLog.lockHead',
  `UPDATE event_heads SET batch = batch WHERE tenant_id = $1 RETURNING ${eventHeads.columns}`,
  eventHeads,
)
const advance = statement(
  'eventLog.advance',
  'UPDATE event_heads SET batch = $2, sequence = $3, hash = $4 WHERE tenant_id = $1 AND batch = $5',
)
const addEvent = statement('eventLog.add', sealedEvents.tenantInsert)
const addBatch = statement('eventLog.addBatch', eventBatches.tenantInsert)

const newHead: EventHead = { batch: 0, sequence: 0, hash: '' }

/** Moves up to `most` queued events to their logs, whose heads it locks. */
export type MoveEvents = (sql: Sql, most: number) => Promise<UnsealedLog[]>

/**
 * Moves event by event. On SQLite this takes half as long as one INSERT … SELECT that numbers the rows. An engine that
 * distributes its tables sends each statement to the tenant's machine; all processes lock heads in the same order, so they
 * cannot deadlock.
 */
export const moveOneByOne: MoveEvents = async (sql, most) => {
  const byTenant = Map.groupBy(await sql.rows(oldest, most), ({ tenant_id }) => tenant_id)
  const logs: UnsealedLog[] = []
  for (const [tenantId, keys] of [...byTenant].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const head = await lockedHead(sql, tenantId)
    const rows = await Promise.all(keys.map(({ id }) => sql.row(take, tenantId, id)))
    // Another process may have taken some since they were read.
    const events = rows.filter((row) => row !== null).map((row) => queuedEvents.read(row))
    await store(sql, tenantId, head, events)
    if (events.length > 0) logs.push({ tenantId, head, events })
  }
  return logs
}

async function lockedHead(sql: Sql, tenantId: string): Promise<EventHead> {
  const row = await sql.row(lockHead, tenantId)
  if (row !== null) return eventHeads.read(row)
  await sql.run(addHead, tenantId, ...eventHeads.values(newHead))
  return lockedHead(sql, tenantId)
}

async function store(sql: Sql, tenantId: string, head: EventHead, events: readonly QueuedEvent[]): Promise<void> {
  const batch = head.batch + 1
  const adding = events.map((event, index) =>
    sql.run(addEvent, tenantId, ...sealedEvents.values({ ...event, sequence: head.sequence + index + 1, batch })),
  )
  await Promise.all(adding)
}

/** The sealing of all logs in any SQL database. */
export class SqlEventSealing implements EventSealing {
  readonly #executor: Executor
  readonly #move: MoveEvents

  /** @param move how the engine moves events, keeping concurrent processes apart */
  constructor(executor: Executor, move: MoveEvents = moveOneByOne) {
    this.#executor = executor
    this.#move = move
  }

  seal(most: number, sealBatch: (log: UnsealedLog) => EventBatch): Promise<Sealing> {
    return this.#executor.write(async (sql) => {
      const startedAt = performance.now()
      const logs = await this.#move(sql, most)
      await Promise.all(logs.map((log) => close(sql, log, sealBatch(log))))
      return {
        events: logs.reduce((sum, { events }) => sum + events.length, 0),
        batches: logs.length,
        oldest: logs.length === 0 ? null : Math.min(...logs.map(({ events }) => events[0]!.at)),
        heldMs: performance.now() - startedAt,
      }
    })
  }

  depth(most: number): Promise<QueueDepth> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(depth, most)
      return { events: row?.events ?? 0, oldest: row?.oldest ?? null }
    })
  }
}

/** Stores the batch and advances the head. Not awaited one by one: an engine may send them together. */
async function close(sql: Sql, { tenantId, head }: UnsealedLog, batch: EventBatch): Promise<void> {
  const sequence = batch.firstSequence + batch.count - 1
  const [advanced] = await Promise.all([
    sql.run(advance, tenantId, batch.batch, sequence, batch.hash, head.batch),
    sql.run(addBatch, tenantId, ...eventBatches.values(batch)),
  ])
  if (advanced !== 1) throw new WriteConflict('another process sealed events of the same log')
}
