import type { RecordedEvent } from '../../../contract/events.ts'
import { createBell } from '../../core/bell.ts'
import { damagedLog } from '../../core/damaged-log.ts'
import type { StreamEvent } from '../../core/handler.ts'
import type { EventRelay } from '../relay.ts'
import type { SealedEvent } from '../sealed-log.ts'
import type { EventLogStore } from './event-log.ts'
import { presentEvent } from './present-event.ts'
import { readHead } from './stored-values.ts'

/** How soon an event that another process sealed is noticed. */
const pollMs = 1_000
const section = 200

interface Following {
  /** The last event that the client has seen. */
  readonly after: number
  readonly watch: EventRelay['watch']
  /** Whether the client may still read the log: a stream outlives the check of its request. */
  readonly mayRead: () => Promise<boolean>
  readonly ends: AbortSignal
}

/**
 * The events of a log after a sequence, as they are sealed. None is skipped or repeated.
 * @param tenantId null for the log of the deployment
 * @throws ServiceError EVENT_LOG_DAMAGED after the events before the damage
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
      const { sequence: last } = readHead(await log.head())
      let count = 0
      for await (const data of nextEvents(log, tenantId, { after: sequence, last, limit: section })) {
        count++
        sequence = data.sequence
        yield { id: String(sequence), event: 'event', data }
      }
      if (count < section) await bell.rung(pollMs)
    }
  } finally {
    unwatch()
  }
}

/**
 * Where a stream begins: after the event that a client has seen, or after the last one.
 * @throws ServiceError EVENT_LOG_DAMAGED if the stream would end before its first event
 */
export async function startOf(log: EventLogStore, lastEventId: string | undefined): Promise<number> {
  const { sequence: last } = readHead(await log.head())
  // A log that was restored from a backup may end before the last event that a client has seen.
  const after = lastEventId === undefined ? last : Math.min(Number(lastEventId), last)
  await nextEvents(log, null, { after, last, limit: 1 }).next()
  return after
}

interface Section {
  readonly after: number
  /** The end of the log: an event beyond it has a sequence that someone changed, and would hide those that follow. */
  readonly last: number
  readonly limit: number
}

async function* nextEvents(
  log: EventLogStore,
  tenantId: string | null,
  { after, last, limit }: Section,
): AsyncGenerator<RecordedEvent> {
  if (after >= last) return
  let sequence = after
  for (const event of await log.between(after, last, limit)) {
    const presented = presentEvent(event, tenantId)
    if (event.sequence > sequence + 1) await requirePurged(log, event)
    sequence = event.sequence
    yield presented
  }
}

/** A log has no gaps: its oldest events are purged, but any other that is missing was deleted or moved. */
async function requirePurged(log: EventLogStore, { sequence, batch }: SealedEvent): Promise<void> {
  const batches = await log.batchesBetween(batch - 2, batch, 2)
  const before = batches.find(
    ({ firstSequence, count }) => firstSequence < sequence && firstSequence + count >= sequence,
  )
  if (!before?.purgedAt) throw damagedLog(`event ${sequence - 1}`, 'sequence')
}
