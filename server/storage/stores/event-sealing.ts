import type { QueuedEvent } from '../../events/event.ts'
import type { EventSealing, QueueDepth, SealBatch, Sealing, UnsealedLog } from '../../events/event-sealing.ts'
import type { EventHead } from '../../events/sealed-log.ts'
import type { Awaitable, Executor, Sql } from '../database.ts'
import { statement, systemStatement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { queuedEvents, withCommitment } from './event-queue.ts'
import { leftOutText, oldestSql, type QueueStatements, queueStatements } from './event-queue-statements.ts'
import { eventBatches, eventHeads, sealedEvents } from './sealed-log-columns.ts'

/** Where events are moved one by one; no such engine has row ids. */
const oldest = systemStatement<{ tenant_id: string; id: string }>('eventQueue.oldest', oldestSql)
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
/** A head without batches, which would stay for ever once the rows of its tenant are erased. */
export const dropUnusedHead = statement(
  'eventLog.dropUnusedHead',
  'DELETE FROM event_heads WHERE tenant_id = $1 AND batch = 0',
)
const addEvent = statement('eventLog.add', sealedEvents.tenantInsert)
const addBatch = statement('eventLog.addBatch', eventBatches.tenantInsert)

/** Events of a batch. Readers of a log read whole batches, so this bounds the memory that they take. */
export const mostOfBatch = 4_000

const newHead: EventHead = { batch: 0, sequence: 0, hash: '' }

/** Moves up to `most` queued events to their logs, whose heads it locks. */
export type MoveEvents = (sql: Sql, most: number, leftOut: readonly string[]) => Promise<UnsealedLog[]>

/**
 * Moves event by event. An engine that distributes its tables sends each statement to the tenant's machine; all processes
 * lock heads in the same order, so they cannot deadlock.
 */
export const moveOneByOne: MoveEvents = async (sql, most, leftOut) => {
  const byTenant = Map.groupBy(await sql.rows(oldest, most, leftOutText(leftOut)), ({ tenant_id }) => tenant_id)
  const { take } = queueStatements({ hasRowIds: false })
  const logs: UnsealedLog[] = []
  for (const [tenantId, keys] of [...byTenant].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const ids = keys.map(({ id }) => id)
    logs.push(...(await moveLog(sql, tenantId, take, ids)))
  }
  return logs
}

/** @returns the log, unless all of these events were taken by another process or erased */
async function moveLog(
  sql: Sql,
  tenantId: string,
  take: QueueStatements['take'],
  places: readonly (string | number)[],
): Promise<UnsealedLog[]> {
  if (places.length === 0) return []
  const head = await lockedHead(sql, tenantId)
  const rows = await Promise.all(places.map((place) => sql.row(take, tenantId, place)))
  // Another process may have taken some since they were read.
  const events = toSeal(rows.filter((row) => row !== null).map((row) => queuedEvents.read(row)))
  if (events.length === 0) {
    if (head.batch === 0) await sql.run(dropUnusedHead, tenantId)
    return []
  }
  await storeEvents(sql, tenantId, head, events)
  return [{ tenantId, head, events }]
}

/** Queued events of one log as they are sealed: with their commitments, in the order of their ids, which they nearly have. */
export const toSeal = (events: readonly QueuedEvent[]): QueuedEvent[] =>
  events.map(withCommitment).sort((one, other) => (one.id < other.id ? -1 : 1))

/** Locks the head of a log; creates it with the first event. */
export async function lockedHead(sql: Sql, tenantId: string): Promise<EventHead> {
  const row = await sql.row(lockHead, tenantId)
  if (row !== null) return eventHeads.read(row)
  await sql.run(addHead, tenantId, ...eventHeads.values(newHead))
  return lockedHead(sql, tenantId)
}

/** Stores events, or part of those that are sealed together, as the next batches of a log. */
export async function storeEvents(
  sql: Sql,
  tenantId: string,
  head: EventHead,
  events: readonly QueuedEvent[],
  from = 0,
  until = events.length,
): Promise<void> {
  const adding = events.slice(from, until).map((event, offset) => {
    const sequence = head.sequence + from + offset + 1
    const batch = head.batch + 1 + Math.floor((from + offset) / mostOfBatch)
    return sql.run(addEvent, tenantId, ...sealedEvents.values({ ...event, sequence, batch }))
  })
  await Promise.all(adding)
}

/** The sealing of all logs in any SQL database. */
export class SqlEventSealing implements EventSealing {
  readonly #executor: Executor
  readonly #queue: QueueStatements
  readonly #move: MoveEvents

  /** @param move how the engine moves events, keeping concurrent processes apart */
  constructor(executor: Executor, move: MoveEvents) {
    this.#executor = executor
    this.#queue = queueStatements(executor)
    this.#move = move
  }

  seal(most: number, sealBatch: SealBatch, leftOut: readonly string[] = []): Promise<Sealing> {
    return this.#seal((sql, take) => this.#move(sql, take, leftOut), most, sealBatch)
  }

  sealLog(tenantId: string, most: number, sealBatch: SealBatch): Promise<Sealing> {
    const { oldestOfLog, take } = this.#queue
    const moveOne = async (sql: Sql, count: number) => {
      const places = (await sql.rows(oldestOfLog, tenantId, count)).map(({ place }) => place)
      return moveLog(sql, tenantId, take, places)
    }
    return this.#seal(moveOne, most, sealBatch)
  }

  oldestLogs(most: number, leftOut: readonly string[]): Promise<string[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(this.#queue.oldestLogs, most, leftOutText(leftOut))).map(({ tenant_id }) => tenant_id),
    )
  }

  #seal(
    move: (sql: Sql, take: number) => Promise<UnsealedLog[]>,
    most: number,
    sealBatch: SealBatch,
  ): Promise<Sealing> {
    return this.#executor.write(async (sql) => {
      const startedAt = performance.now()
      const logs = await move(sql, most)
      const batches = await Promise.all(logs.map((log) => close(sql, log, sealBatch)))
      return {
        events: logs.reduce((sum, { events }) => sum + events.length, 0),
        batches: batches.reduce((sum, count) => sum + count, 0),
        oldest: logs.length === 0 ? null : Math.min(...logs.map(({ events }) => events[0]!.at)),
        heldMs: performance.now() - startedAt,
      }
    })
  }

  depth(most: number): Promise<QueueDepth> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(this.#queue.depth, most)
      return { events: row?.events ?? 0, oldest: row?.oldest ?? null }
    })
  }
}

/**
 * Stores the events of a log as batches and advances the head. Not awaited one by one: an engine may send them together.
 * @returns the number of batches
 */
async function close(sql: Sql, { tenantId, head, events }: UnsealedLog, sealBatch: SealBatch): Promise<number> {
  let end = head
  const advancing: Awaitable<number>[] = []
  const adding: Awaitable<number>[] = []
  for (let from = 0; from < events.length; from += mostOfBatch) {
    const batch = sealBatch({ tenantId, head: end, events: events.slice(from, from + mostOfBatch) })
    const sequence = batch.firstSequence + batch.count - 1
    advancing.push(sql.run(advance, tenantId, batch.batch, sequence, batch.hash, end.batch))
    adding.push(sql.run(addBatch, tenantId, ...eventBatches.values(batch)))
    end = { batch: batch.batch, sequence, hash: batch.hash }
  }
  const [advanced] = await Promise.all([Promise.all(advancing), Promise.all(adding)])
  if (advanced.some((changed) => changed !== 1))
    throw new WriteConflict('another process sealed events of the same log')
  return advancing.length
}
