import type { EventLine } from '../../../contract/admin/events.ts'
import type { SealedEvent, StoredBatch } from '../sealed-log.ts'
import type { BatchRange, EventLogStore, SealingTimes } from './event-log.ts'
import { presentBatchLine, presentSealed } from './present-batch.ts'

/** Events that are read at once, which bounds the memory of an export; more only if one batch has more: at most 4,000. */
const mostEvents = 1_000

/**
 * Batches that are read at once. A batch of 4,000 events may have 170 KB of hashes once it is purged, so only logs with
 * small batches are read in many.
 */
const mostBatches = 100

/**
 * The lines of an export: whole batches, oldest first, each after its events. Batches that are sealed during the export
 * are not part of it.
 * @param tenantId null for the log of the deployment
 */
export async function* exportLines(
  log: EventLogStore,
  tenantId: string | null,
  times: SealingTimes,
): AsyncGenerator<EventLine> {
  const head = await log.head()
  const { first, last } = await rangeOf(log, times, head.batch)
  const done = { events: 0, batches: 0 }
  let limit = 2
  for (let after = first - 1; after < last; ) {
    const section = await readSection(log, { after, last, limit })
    // Their end is missing, which the head in the last line shows.
    if (section === null) break
    for (const line of linesOf(section, tenantId)) yield line
    done.events += section.events.length
    done.batches += section.batches.length
    after = section.batches.at(-1)!.batch
    limit = Math.min(section.batches.length * 2, mostBatches)
  }
  const { batch, sequence, hash } = head
  yield { done: { ...done, head: batch === 0 ? null : { batch, sequence, hash } } }
}

/**
 * Clocks differ between processes and go back, so batches in the order of their numbers are not always in the order of their
 * times. Every batch of the times is exported with those between them, so that exports of adjoining times miss none.
 */
async function rangeOf(log: EventLogStore, times: SealingTimes, head: number): Promise<BatchRange> {
  const { since, until } = times
  if (since === undefined && until === undefined) return { first: 1, last: head }
  const sealed = await log.batchesSealed(times)
  if (sealed === null) return { first: 1, last: 0 }
  return {
    first: since === undefined ? 1 : sealed.first,
    last: until === undefined ? head : Math.min(head, sealed.last),
  }
}

interface LogSection {
  readonly batches: readonly StoredBatch[]
  /** All stored events of the batches. */
  readonly events: readonly SealedEvent[]
}

/** Batches to read: those after one, up to the last, and no more than the limit. */
interface Wanted {
  readonly after: number
  readonly last: number
  readonly limit: number
}

/** The next batches with their events. Reads again if events were purged meanwhile: a batch tells what it has. */
async function readSection(log: EventLogStore, wanted: Wanted): Promise<LogSection | null> {
  for (let before: readonly StoredBatch[] | null = null; ; ) {
    const batches: readonly StoredBatch[] = before ?? (await readBatches(log, wanted))
    const [start, end] = [batches[0], batches.at(-1)]
    if (start === undefined || end === undefined) return null
    const events = await log.between(
      start.firstSequence - 1,
      end.firstSequence + end.count - 1,
      Number.MAX_SAFE_INTEGER,
    )
    const now = await log.batchesBetween(wanted.after, end.batch, batches.length)
    if (now.every(({ purgedAt }, index) => purgedAt === batches[index]?.purgedAt)) return { batches, events }
    before = now
  }
}

/** The next batches that have at most `mostEvents` together, at least one. */
async function readBatches(log: EventLogStore, { after, last, limit }: Wanted): Promise<StoredBatch[]> {
  const batches = await log.batchesBetween(after, last, limit)
  const start = batches[0]?.firstSequence ?? 0
  const end = batches.findIndex(({ firstSequence, count }) => firstSequence + count - start > mostEvents)
  return end < 0 ? batches : batches.slice(0, Math.max(end, 1))
}

function* linesOf({ batches, events }: LogSection, tenantId: string | null): Generator<EventLine> {
  let next = 0
  for (const batch of batches) {
    const last = batch.firstSequence + batch.count - 1
    for (; next < events.length && events[next]!.sequence <= last; next++) yield presentSealed(events[next]!)
    yield presentBatchLine(batch, tenantId)
  }
}
