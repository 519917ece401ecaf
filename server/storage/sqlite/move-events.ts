import type { QueuedEvent } from '../../events/event.ts'
import type { UnsealedLog } from '../../events/event-sealing.ts'
import { systemStatement } from '../statement.ts'
import { queuedEvents } from '../stores/event-queue.ts'
import { leftOutText, notLeftOut } from '../stores/event-queue-statements.ts'
import { lockedHead, type MoveEvents, storeEvents, toSeal } from '../stores/event-sealing.ts'

interface TakenEvent {
  readonly tenantId: string
  readonly rowId: number
  readonly event: QueuedEvent
}
const taken = {
  read: (row: readonly (string | number | null)[]): TakenEvent => ({
    tenantId: row[0] as string,
    rowId: row[1] as number,
    event: queuedEvents.read(row, 2),
  }),
}

const oldest = systemStatement(
  'sqlite.eventQueue.oldest',
  `SELECT tenant_id, rowid, ${queuedEvents.columns} FROM event_queue WHERE ${notLeftOut('$2')} ORDER BY rowid LIMIT $1`,
  taken,
)
/** A range, which takes a third of the time of a list of keys. */
const remove = systemStatement(
  'sqlite.eventQueue.removeUntil',
  `DELETE FROM event_queue WHERE rowid <= $1 AND ${notLeftOut('$2')}`,
)

/** Events that leave the queue together. Those that are stored next use their pages again while these are in the cache. */
const step = 400

/**
 * Reads the oldest events, and deletes all up to the last of them: no other transaction writes in between. Stores them one by
 * one, which takes less time than an INSERT … SELECT that numbers them by a window function.
 */
export const moveTaken: MoveEvents = async (sql, most, leftOut) => {
  const left = leftOutText(leftOut)
  const rows = (await sql.rows(oldest, most, left)).map((row) => taken.read(row))
  let [removed, stored] = [0, 0]
  const removeNext = async () => {
    const next = rows.slice(removed, removed + step)
    const changed = await sql.run(remove, next.at(-1)!.rowId, left)
    if (changed !== next.length) throw new Error(`${changed} queued events removed instead of ${next.length}`)
    removed += changed
  }
  const logs: UnsealedLog[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenantId)) {
    const head = await lockedHead(sql, tenantId)
    const events = toSeal(ofTenant.map(({ event }) => event))
    for (let [from, until] = [0, 0]; from < events.length; from = until) {
      if (stored === removed) await removeNext()
      until = Math.min(events.length, from + removed - stored)
      await storeEvents(sql, tenantId, head, events, from, until)
      stored += until - from
    }
    logs.push({ tenantId, head, events })
  }
  return logs
}
