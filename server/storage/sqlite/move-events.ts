import type { QueuedEvent } from '../../events/event.ts'
import type { UnsealedLog } from '../../events/event-sealing.ts'
import { systemStatement } from '../statement.ts'
import { queuedEvents } from '../stores/event-queue.ts'
import { leftOutText, lockedHead, type MoveEvents, oldestSql, storeEvents } from '../stores/event-sealing.ts'

interface TakenEvent {
  readonly tenantId: string
  readonly event: QueuedEvent
}
const taken = {
  read: (row: readonly (string | number | null)[]): TakenEvent => ({
    tenantId: row[0] as string,
    event: queuedEvents.read(row, 1),
  }),
}

const take = systemStatement(
  'sqlite.eventQueue.take',
  `DELETE FROM event_queue WHERE (tenant_id, id) IN (${oldestSql}) RETURNING tenant_id, ${queuedEvents.columns}`,
  taken,
)

/**
 * Takes all events with one statement, and stores them one by one, which takes less time than an INSERT … SELECT that
 * numbers them by a window function.
 */
export const moveTaken: MoveEvents = async (sql, most, leftOut) => {
  const rows = (await sql.rows(take, most, leftOutText(leftOut))).map((row) => taken.read(row))
  // RETURNING has no order.
  rows.sort((one, other) => (one.event.id < other.event.id ? -1 : 1))
  const logs: UnsealedLog[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenantId)) {
    const head = await lockedHead(sql, tenantId)
    const events = ofTenant.map(({ event }) => event)
    await storeEvents(sql, tenantId, head, events)
    logs.push({ tenantId, head, events })
  }
  return logs
}
