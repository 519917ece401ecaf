import type { RecordedEvent } from '../../../contract/events.ts'
import { createBell } from '../../core/bell.ts'
import { damagedLog } from '../../core/damaged-log.ts'
import type { StreamEvent } from '../../core/handler.ts'
import type { EventRelay } from '../relay.ts'
import type { EventHead, SealedEvent } from '../sealed-log.ts'
import type { EventLogStore } from './event-log.ts'
import { presentEvent } from './present-event.ts'
import { readHead } from './stored-values.ts'

/** How soon an event that another process sealed is noticed. */
const pollMs = 1_000
const section = 200
/** Heads of the log that a stream remembers. */
const mostHeads = 500

interface Following {
  /** The last event that the client has seen. */
  readonly after: number
  readonly watch: EventRelay['watch']
  /** Whether the client may still read the log: a stream outlives the check of its request. */
  readonly mayRead: () => Promise<boolean>
  readonly ends: AbortSignal
}

/**
 * The events of a log after a sequence, as they are sealed. None is skipped or repeated. When a failover loses the end of
 * the log, the events that get its sequences are sent, too.
 * @param tenantId null for the log of the deployment
 * @throws ServiceError EVENT_LOG_DAMAGED after the events before the damage
 */
export async function* followLog(
  log: EventLogStore,
  tenantId: string | null,
  { after, watch, mayRead, ends }: Following,
): AsyncGenerator<StreamEvent<RecordedEvent>> {
  const bell = createBell(ends)
  /** The heads that were read, oldest first. */
  const heads: EventHead[] = []
  let sequence = after
  const unwatch = watch(bell.ring)
  try {
    while (!ends.aborted) {
      bell.reset()
      if (!(await mayRead())) return
      const head = readHead(await log.head())
      if (head.hash !== heads.at(-1)?.hash) {
        sequence = Math.min(sequence, await keptUpTo(log, heads))
        heads.push(head)
        if (heads.length > mostHeads) heads.shift()
      }
      let count = 0
      for await (const data of nextEvents(log, tenantId, { after: sequence, last: head.sequence, limit: section })) {
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
 * The sequence up to which the log is still as it was read. A failover to a standby that lags loses its newest batches, and
 * others get their numbers. Forgets the heads of lost batches, except the oldest.
 */
async function keptUpTo(log: EventLogStore, heads: EventHead[]): Promise<number> {
  for (let head = heads.at(-1); head !== undefined; head = heads.at(-1)) {
    const [batch] = await log.batchesBetween(head.batch - 1, head.batch, 1)
    if (head.batch === 0 || batch?.hash === head.hash || heads.length === 1) return head.sequence
    heads.pop()
  }
  return Number.MAX_SAFE_INTEGER
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
