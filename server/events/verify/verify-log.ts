import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import { BatchCheck, type BatchReport, type LogPosition, named, type PublicKeyOf } from './check-batch.ts'
import { type Fault, mostFaults, type VerifiedLog } from './verified-log.ts'
import { wellTypedHead } from './well-typed.ts'

/** A log to verify. A stored one may grow, and be purged, while it is read. */
export interface LogSource {
  /** The next batches in the order of their numbers; empty when there are none, which may change later. */
  nextBatches(): Promise<readonly StoredBatch[]>
  /** The next events in the order of their sequence; empty when there are none, which may change later. */
  nextEvents(): Promise<readonly SealedEvent[]>
  /** Where the log ends by its own account; undefined when that is not known. Read after everything else. */
  head(): Promise<EventHead | null | undefined>
  /** Reads a batch and its events again, to tell a fault from a purge meanwhile. */
  again?(batch: number): Promise<{ readonly batch: StoredBatch; readonly events: readonly SealedEvent[] } | null>
  /** Events of this range without their personal part although the person exists. */
  notErased?(first: number, last: number): Promise<readonly number[]>
  /** Faults that were noticed while reading, since the last call. */
  takeFaults?(): readonly Fault[]
  /** How many rows have a number that is out of the range of those that are read. */
  unreachable?(): Promise<number>
  /** Called between events, and between batches. */
  pause?(): Promise<void> | undefined
}

/** What another source says of a batch: an earlier checkpoint, or an anchor. */
export interface ExpectedBatch {
  readonly batch: number
  readonly hash: string
  /** Such as `the checkpoint`. */
  readonly source: string
}

export interface VerifyOptions {
  /** Part of every hash. */
  readonly tenantId: string
  readonly publicKey: PublicKeyOf
  /** What the first batch continues; null accepts any, except one that differs from what is expected before it. */
  readonly from: LogPosition | null
  readonly expected?: readonly ExpectedBatch[]
  /** Whether an expected batch beyond the end is a fault: the log is read after it was known. */
  readonly reachesExpected?: boolean
}

/** Verifies a log in one pass over its batches and events. */
export async function verifyLog(source: LogSource, options: VerifyOptions): Promise<VerifiedLog> {
  return new Verification(source, options).run()
}

class Verification {
  readonly #source: LogSource
  readonly #options: VerifyOptions
  readonly #expected: ReadonlyMap<number, readonly ExpectedBatch[]>
  readonly #faults: Fault[] = []
  #faultCount = 0
  #verified = { batches: 0, events: 0 }
  #purged: { events: number; lastBatch: number | null } = { events: 0, lastBatch: null }
  #erased = 0
  #position: LogPosition | null
  #lastBatch: StoredBatch | null = null
  /** Whether events before the next batch may belong to batches that are missing or not as they were sealed. */
  #isLost = false
  #batches: readonly StoredBatch[] = []
  #batchAt = 0
  #events: readonly SealedEvent[] = []
  #eventAt = 0

  constructor(source: LogSource, options: VerifyOptions) {
    this.#source = source
    this.#options = options
    this.#expected = Map.groupBy(options.expected ?? [], ({ batch }) => batch)
    this.#position = options.from
  }

  async run(): Promise<VerifiedLog> {
    for (;;) {
      for (let batch = await this.#nextBatch(); batch !== null; batch = await this.#nextBatch())
        await this.#check(batch)
      // Read in this order, a log that grows has no event beyond its batches, and no batch beyond its head.
      const event = await this.#peekEvent()
      const unreachable = await this.#source.unreachable?.()
      const head = await this.#source.head()
      if ((await this.#peekBatch()) !== null) continue
      if (event !== null) await this.#strayEvents(Number.POSITIVE_INFINITY)
      if (unreachable) this.#unreachable(unreachable)
      this.#checkEnd(head)
      break
    }
    const last = this.#lastBatch
    return {
      verified: this.#verified,
      purged: this.#purged,
      erased: this.#erased,
      head: last && { batch: last.batch, hash: last.hash, sealedAt: last.sealedAt },
      faults: this.#faults,
      faultCount: this.#faultCount,
    }
  }

  #fault(fault: Fault): void {
    this.#faultCount++
    if (this.#faults.length < mostFaults) this.#faults.push(fault)
  }

  async #peekBatch(): Promise<StoredBatch | null> {
    if (this.#batchAt === this.#batches.length) {
      this.#batches = await this.#source.nextBatches()
      this.#batchAt = 0
    }
    return this.#batches[this.#batchAt] ?? null
  }

  async #nextBatch(): Promise<StoredBatch | null> {
    const batch = await this.#peekBatch()
    if (batch !== null) this.#batchAt++
    return batch
  }

  async #peekEvent(): Promise<SealedEvent | null> {
    if (this.#eventAt === this.#events.length) {
      this.#events = await this.#source.nextEvents()
      this.#eventAt = 0
    }
    return this.#events[this.#eventAt] ?? null
  }

  /** Calls `take` with each next event up to this sequence. */
  async #takeEvents(last: number, take: (event: SealedEvent) => void): Promise<void> {
    while ((await this.#peekEvent()) !== null) {
      for (; this.#eventAt < this.#events.length; this.#eventAt++) {
        const event = this.#events[this.#eventAt]!
        if (event.sequence > last) return
        take(event)
        const pause = this.#source.pause?.()
        if (pause !== undefined) await pause
      }
    }
  }

  /** Events that no batch has. */
  async #strayEvents(last: number): Promise<void> {
    const batch = this.#lastBatch?.batch ?? 0
    await this.#takeEvents(last, ({ sequence }) => {
      if (!this.#isLost)
        this.#fault({ batch, sequence, kind: 'changed', problem: `event ${sequence} belongs to no batch` })
    })
  }

  async #check(stored: StoredBatch): Promise<void> {
    await this.#source.pause?.()
    const before = this.#position ?? this.#expectedBefore(stored)
    const check = this.#start(stored, before)
    const { batch } = check
    // Events of a missing batch are one fault with it.
    if (before !== null && batch.batch > before.batch + 1) this.#isLost = true
    let report: BatchReport
    if (check.hasRange) {
      await this.#strayEvents(batch.firstSequence - 1)
      await this.#takeEvents(check.last, (event) => check.row(event))
      report = check.end()
      if (report.faults.length > 0) report = (await this.#recheck(batch, before)) ?? report
    } else report = check.end()
    this.#isLost = !check.hasRange
    await this.#add(batch, report)
    this.#position = report.end
    this.#lastBatch = batch
  }

  #expectedBefore({ batch }: StoredBatch): LogPosition | null {
    const expected = this.#expected.get(batch - 1)
    return expected === undefined
      ? null
      : { batch: batch - 1, sequence: null, hashes: expected.map(({ hash }) => hash) }
  }

  #start(stored: StoredBatch, before: LogPosition | null): BatchCheck {
    return new BatchCheck(this.#options.tenantId, stored, before, this.#options.publicKey)
  }

  /** A purge between two reads looks like missing events; reading again tells. */
  async #recheck(stored: StoredBatch, before: LogPosition | null): Promise<BatchReport | null> {
    const now = await this.#source.again?.(stored.batch)
    if (!now) return null
    const check = this.#start(now.batch, before)
    const { purgedAt, kept } = check.batch
    if (purgedAt === stored.purgedAt && kept === stored.kept) return null
    for (const event of now.events) check.row(event)
    return check.end()
  }

  async #add({ batch, hash, firstSequence, count }: StoredBatch, report: BatchReport): Promise<void> {
    const faults = [...(this.#source.takeFaults?.() ?? []), ...report.faults]
    if (report.erased > 0) {
      for (const sequence of (await this.#source.notErased?.(firstSequence, firstSequence + count - 1)) ?? []) {
        const problem = `event ${sequence} has no personal part although its person exists`
        faults.push({ batch, sequence, kind: 'changed', problem })
      }
    }
    for (const expected of this.#expected.get(batch) ?? []) {
      if (expected.hash !== hash)
        faults.push({ batch, kind: 'changed', problem: `the batch differs from ${expected.source}` })
    }
    for (const fault of faults) this.#fault(fault)
    this.#erased += report.erased
    if (report.purged > 0) this.#purged = { events: this.#purged.events + report.purged, lastBatch: batch }
    if (faults.length > 0) return
    this.#verified.batches++
    this.#verified.events += report.events
  }

  #unreachable(rows: number): void {
    const batch = this.#lastBatch?.batch ?? 0
    this.#fault({ batch, kind: 'changed', problem: `${rows} rows have numbers that are never assigned` })
  }

  #checkEnd(head: EventHead | null | undefined): void {
    for (const fault of this.#source.takeFaults?.() ?? []) this.#fault(fault)
    const batch = this.#position?.batch ?? 0
    if (head !== undefined) this.#checkHead(head, batch)
    if (this.#options.reachesExpected) this.#checkExpectedEnd(batch)
  }

  #checkHead(stored: EventHead | null, batch: number): void {
    const end = this.#position
    const { row: head, wrong } = stored === null ? { row: null, wrong: null } : wellTypedHead(stored)
    if (wrong !== null)
      this.#fault({ batch, kind: 'changed', problem: `the head of the log has an invalid value in ${wrong}` })
    if (head === null ? batch > 0 : head.batch < batch)
      this.#fault({ batch, kind: 'missing', problem: 'the head of the log is missing, or behind its last batch' })
    else if (head !== null && head.batch > batch)
      this.#fault({ batch: batch + 1, kind: 'gap', problem: `${named(batch + 1, head.batch)} missing at the end` })
    else if (head !== null && end !== null && !isEnd(head, end))
      this.#fault({ batch, kind: 'changed', problem: 'the head of the log is not its last batch' })
  }

  /** Batches that were there before and are not there now. */
  #checkExpectedEnd(last: number): void {
    const newest = (this.#options.expected ?? []).reduce<ExpectedBatch | null>(
      (one, other) => (one === null || other.batch > one.batch ? other : one),
      null,
    )
    if (newest === null || newest.batch <= last) return
    const problem = `${named(last + 1, newest.batch)} missing at the end; ${newest.source} has batch ${newest.batch}`
    this.#fault({ batch: last + 1, kind: 'gap', problem })
  }
}

const isEnd = (head: EventHead, { sequence, hashes }: LogPosition): boolean =>
  hashes.includes(head.hash) && (sequence === null || sequence === head.sequence)
