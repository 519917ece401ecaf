import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { EventLogStore } from '../log/event-log.ts'
import type { SealedEvent, StoredBatch } from '../sealed-log.ts'
import { BatchCheck, startOfLog } from './check-batch.ts'
import { EarlierUsers } from './earlier-users.ts'
import type { VerifiedLog } from './verified-log.ts'
import { type LogSource, type VerifyOptions, verifyLog } from './verify-log.ts'
import { wellTypedBatch } from './well-typed.ts'

/** Batches and events that are read at once: a read keeps the event loop busy for a millisecond or two. */
const pages = { batches: 40, events: 250 }
/** Time before yielding to the event loop: other requests wait at most this long plus one read. */
const sliceMs = 3
/** Numbers that are read; the first one is excluded. */
const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

interface StoredVerification extends Pick<VerifyOptions, 'tenantId' | 'publicKey'> {
  readonly log: EventLogStore
  readonly fromBatch: number
  /**
   * Called between slices with the number of events read so far.
   * @throws to end the verification
   */
  onSlice(events: number): void
}

/** Verifies the stored log of a tenant or the deployment, in slices of time. */
export async function verifyStoredLog(verification: StoredVerification): Promise<VerifiedLog> {
  const { log, fromBatch, tenantId, publicKey } = verification
  const options = { tenantId, publicKey }
  if (fromBatch === 1)
    return verifyLog(storedLog(verification, { batch: least, sequence: least }), { ...options, from: startOfLog })
  const [before] = await log.batchesBetween(fromBatch - 2, fromBatch - 1, 1)
  if (before === undefined) return withoutStart(log, fromBatch - 1)
  const check = new BatchCheck(tenantId, before, null, publicKey)
  const { faults, end } = check.start
  const verified = await verifyLog(storedLog(verification, { batch: before.batch, sequence: check.last }), {
    ...options,
    from: end,
  })
  return { ...verified, faults: [...faults, ...verified.faults], faultCount: faults.length + verified.faultCount }
}

/** A log that has lost the batch before the first one to verify, such as by a cut of its end. */
async function withoutStart(log: EventLogStore, batch: number): Promise<VerifiedLog> {
  const [last] = await log.batchesBefore(null, 1)
  const end = last && wellTypedBatch(last).row
  const problem = `batch ${batch} is missing; the last one is ${end === undefined ? 'none' : `batch ${end.batch}`}`
  return {
    verified: { batches: 0, events: 0 },
    purged: { events: 0, lastBatch: null },
    erased: 0,
    head: end === undefined ? null : { batch: end.batch, hash: end.hash, sealedAt: end.sealedAt },
    faults: [{ batch, kind: 'gap', problem }],
    faultCount: 1,
  }
}

/** Reads the log after a batch and an event. */
function storedLog(
  { log, onSlice }: StoredVerification,
  after: { readonly batch: number; readonly sequence: number },
): LogSource {
  let { batch, sequence } = after
  let events = 0
  const earlierUsers = new EarlierUsers(log)
  let sliceEnds = performance.now() + sliceMs

  async function yieldLoop(): Promise<void> {
    await setImmediate()
    onSlice(events)
    sliceEnds = performance.now() + sliceMs
  }
  const pause = () => (performance.now() < sliceEnds ? undefined : yieldLoop())

  return {
    async nextBatches() {
      const page = await readPage((limit) => log.batchesBetween(batch, most, limit), pages.batches, ofBatch)
      batch = page.at(-1)?.batch ?? batch
      return page
    },
    async nextEvents() {
      const page = await readPage((limit) => log.between(sequence, most, limit), pages.events, ofEvent)
      sequence = page.at(-1)?.sequence ?? sequence
      events += page.length
      return page
    },
    head: () => log.head(),
    unreachable: () => log.outside(least, most),
    again: (number) => readAgain(log, number),
    async notErased(first, last) {
      const unexplained: number[] = []
      for (const event of await log.notErased(first, last)) {
        await pause()
        if (!(await earlierUsers.explain(event))) unexplained.push(event.sequence)
      }
      return unexplained
    },
    pause,
  }
}

const ofBatch = ({ batch }: StoredBatch) => batch
const ofEvent = ({ sequence }: SealedEvent) => sequence

/**
 * The next rows. All rows of a number are in one page, because the next page begins after it: without the constraint of
 * the schema there may be several. One number that fills a page is a fault already.
 */
async function readPage<T>(
  read: (limit: number) => Promise<readonly T[]>,
  size: number,
  numberOf: (row: T) => number,
): Promise<readonly T[]> {
  const page = await read(size + 1)
  if (page.length <= size) return page
  const next = numberOf(page.at(-1)!)
  const whole = page.filter((row) => numberOf(row) !== next)
  return whole.length > 0 ? whole : page
}

/** A batch with the events that belong to it: a purge between the reads changes the batch. */
async function readAgain(log: EventLogStore, number: number) {
  for (;;) {
    const [batch] = await log.batchesBetween(number - 1, number, 1)
    if (batch === undefined) return null
    const events = await log.between(batch.firstSequence - 1, batch.firstSequence + batch.count - 1, most)
    const [now] = await log.batchesBetween(number - 1, number, 1)
    if (now !== undefined && hasSameMark(now, batch)) return { batch, events }
  }
}

/** Values of a wrong type are never equal. */
function hasSameMark(one: StoredBatch, other: StoredBatch): boolean {
  const [now, before] = [wellTypedBatch(one).row, wellTypedBatch(other).row]
  return now.purgedAt === before.purgedAt && now.kept === before.kept
}
