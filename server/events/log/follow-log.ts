import type { RecordedEvent } from '../../../contract/events.ts'
import { createBell } from '../../core/bell.ts'
import type { StreamEvent } from '../../core/handler.ts'
import type { EventRelay } from '../relay.ts'
import type { EventLogStore } from './event-log.ts'
import { presentEvent } from './present-event.ts'

/** How soon an event that another process sealed is noticed. */
const pollMs = 1_000
const section = 200

export interface Following {
  /** The last event that the client has seen. */
  readonly after: number
  readonly watch: EventRelay['watch']
  /** Whether the client may still read the log: a stream outlives the check of its request. */
  readonly mayRead: () => Promise<boolean>
  readonly ends: AbortSignal
}

/**
 * The events of a log after a sequence, as they are sealed. A log has no gaps, so none is skipped or repeated.
 * @param tenantId null for the log of the deployment
 */
export async function* followLog(
  log: EventLogStore,
  tenantId: string | null,
  { after, watch, mayRead, ends }: Following,
): AsyncGenerator<StreamEvent<RecordedEvent>> {
  const bell = createBell(ends)
  let sequence = after
  const unwatch = watch(bell.ring)
  try {
    while (!ends.aborted) {
      bell.reset()
      if (!(await mayRead())) return
      const events = await log.between(sequence, Number.MAX_SAFE_INTEGER, section)
      for (const event of events) {
        sequence = event.sequence
        yield { id: String(sequence), event: 'event', data: presentEvent(event, tenantId) }
      }
      if (events.length < section) await bell.rung(pollMs)
    }
  } finally {
    unwatch()
  }
}

/** Where a stream begins: after the event that a client has seen, or after the last one. */
export async function startOf(log: EventLogStore, lastEventId: string | undefined): Promise<number> {
  const { sequence } = await log.head()
  // A log that was restored from a backup may end before the last event that a client has seen.
  return lastEventId === undefined ? sequence : Math.min(Number(lastEventId), sequence)
}
