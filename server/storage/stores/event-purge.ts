import type { EventPurgeStore, UnpurgedBatches } from '../../events/event-purge.ts'
import type { KeptRows } from '../../events/purge-mark.ts'
import type { PurgeMark, SealedEvent, StoredBatch } from '../../events/sealed-log.ts'
import type { Executor } from '../database.ts'
import { partlyPurged, unpurged } from '../schema-steps.ts'
import { statement } from '../statement.ts'
import { purgeMarks, sealedEvents, storedBatches } from './sealed-log-columns.ts'

const list = (name: string, condition: string) =>
  statement(
    `eventPurge.${name}`,
    `SELECT ${storedBatches.columns} FROM event_batches
     WHERE tenant_id = $1 AND ${condition} AND sealed_at < $2 AND (sealed_at, batch) > ($3, $4)
     ORDER BY sealed_at, batch LIMIT $5`,
    storedBatches,
  )
const lists = { 'all rows': list('list', unpurged), 'acts of operators': list('listKept', partlyPurged) }

/** Locks the batch; changes no row when another process has purged it. */
const lock = statement(
  'eventPurge.lock',
  `UPDATE event_batches SET purged_at = purged_at
   WHERE tenant_id = $1 AND batch = $2 AND COALESCE(purged_at, 0) = $3`,
)
const inBatch = 'tenant_id = $1 AND sequence >= $2 AND sequence < $3'
const rowsOf = statement(
  'eventPurge.rows',
  `SELECT ${sealedEvents.columns} FROM events WHERE ${inBatch} ORDER BY sequence LIMIT $4`,
  sealedEvents,
)
const deleteRows: Readonly<Record<KeptRows, ReturnType<typeof statement>>> = {
  'acts of operators': statement(
    'eventPurge.deleteOthers',
    `DELETE FROM events WHERE ${inBatch} AND actor_kind <> 'operator'`,
  ),
  nothing: statement('eventPurge.deleteAll', `DELETE FROM events WHERE ${inBatch}`),
}
const mark = statement(
  'eventPurge.mark',
  `UPDATE event_batches SET ${purgeMarks.map((name, index) => `${name} = $${index + 3}`)} WHERE tenant_id = $1 AND batch = $2`,
)

/** The purge of one log in any SQL database. */
export class SqlEventPurgeStore implements EventPurgeStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  list({ have, before, after, limit }: UnpurgedBatches): Promise<StoredBatch[]> {
    return this.#executor.read(async (sql) =>
      storedBatches.readAll(await sql.rows(lists[have], this.#tenantId, before, after.sealedAt, after.batch, limit)),
    )
  }

  rows({ firstSequence, count }: StoredBatch, after: number, limit: number): Promise<SealedEvent[]> {
    const from = Math.max(firstSequence, after + 1)
    return this.#executor.read(async (sql) =>
      sealedEvents.readAll(await sql.rows(rowsOf, this.#tenantId, from, firstSequence + count, limit)),
    )
  }

  purge(
    { batch, firstSequence, count, purgedAt }: StoredBatch,
    keep: KeptRows,
    newMark: PurgeMark | null,
  ): Promise<number | null> {
    return this.#executor.write(async (sql) => {
      if ((await sql.run(lock, this.#tenantId, batch, purgedAt ?? 0)) === 0) return null
      const deleted = await sql.run(deleteRows[keep], this.#tenantId, firstSequence, firstSequence + count)
      if (newMark !== null) await sql.run(mark, this.#tenantId, batch, ...purgeMarks.values(newMark))
      return deleted
    })
  }
}
