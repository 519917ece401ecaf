import { isRecord } from '../../../contract/fields/profile-values.ts'
import { deployment } from '../../core/deployment.ts'
import { presentBatchLine, presentSealed } from '../log/present-batch.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import type { Fault } from './verified-log.ts'
import type { LogSource } from './verify-log.ts'
import { wellTypedEvent, wellTypedHead } from './well-typed.ts'

/** What an export contains by its own account. */
export interface ExportedRange {
  /** The id that the hashes cover; null until a batch is read. */
  readonly tenantId: string | null
  readonly first: StoredBatch | null
  readonly last: StoredBatch | null
  /** The end of the log when it was exported; null when the last line is missing, or nothing was sealed. */
  readonly head: EventHead | null
}

/**
 * An export as a log to verify. Each line must be exactly what the service writes: another spelling of the same value may
 * mean something else to another reader.
 */
export interface ExportedLog extends LogSource {
  range(): ExportedRange
  close(): Promise<void>
}

/** @param lines without line breaks */
export async function readExport(lines: AsyncIterable<string>): Promise<ExportedLog> {
  const reading = new ExportReading(lines)
  // The first batch tells whose log it is.
  await reading.readBatch()
  return {
    nextBatches: async () => {
      const batch = reading.firstUnread ?? (await reading.readBatch())
      reading.firstUnread = null
      return batch === null ? [] : [batch]
    },
    nextEvents: async () => reading.events.splice(0),
    head: async () => reading.end(),
    takeFaults: () => reading.faults.splice(0),
    range: () => reading.range(),
    close: () => reading.close(),
  }
}

class ExportReading {
  readonly events: SealedEvent[] = []
  readonly faults: Fault[] = []
  /** Of the batch that comes next in the file. */
  readonly #pending: { events: Mutable<SealedEvent>[]; faults: Mutable<Fault>[] } = { events: [], faults: [] }
  firstUnread: StoredBatch | null = null
  readonly #lines: AsyncIterator<string>
  #line = 0
  #counts = { events: 0, batches: 0 }
  #tenantId: string | null = null
  #first: StoredBatch | null = null
  #last: StoredBatch | null = null
  #head: EventHead | null | undefined

  constructor(lines: AsyncIterable<string>) {
    this.#lines = lines[Symbol.asyncIterator]()
  }

  #fault(kind: Fault['kind'], problem: string, sequence?: number): void {
    this.#pending.faults.push({ batch: 0, ...(sequence !== undefined && { sequence }), kind, problem })
  }

  /** Reads up to the end of the next batch. */
  async readBatch(): Promise<StoredBatch | null> {
    for (;;) {
      const { value: line, done } = await this.#lines.next()
      if (done) {
        this.#release((this.#last?.batch ?? 0) + 1)
        return null
      }
      this.#line++
      const batch = this.#take(line)
      if (batch === null) continue
      this.#release(batch.batch)
      this.#last = batch
      if (this.#first === null) {
        this.#first = batch
        this.firstUnread = batch
      }
      return batch
    }
  }

  #release(batch: number): void {
    // One by one: a damaged export can have more lines in a row without a batch than a call takes arguments.
    for (const event of this.#pending.events.splice(0)) this.events.push(Object.assign(event, { batch }))
    for (const fault of this.#pending.faults.splice(0)) this.faults.push(Object.assign(fault, { batch }))
  }

  /** @returns the batch, if the line is one */
  #take(line: string): StoredBatch | null {
    const value = parsed(line)
    if (value === null || this.#head !== undefined) {
      this.#fault('changed', `line ${this.#line} is not a line of an export`)
    } else if (isRecord(value['batch'])) {
      return this.#takeBatch(value['batch'], line)
    } else if (isRecord(value['done'])) {
      this.#takeDone(value['done'], line)
    } else this.#takeEvent(value, line)
    return null
  }

  #takeEvent(value: Fields, line: string): void {
    const event = eventOf(value)
    if (event === null || !isWritten(line, () => presentSealed(event)))
      this.#fault('changed', `line ${this.#line} is not an event as the service exports it`, event?.sequence)
    if (event === null) return
    this.#counts.events++
    // Reported above; the other checks go on with values of the right types.
    this.#pending.events.push(wellTypedEvent(event).row)
  }

  #takeBatch(value: Fields, line: string): StoredBatch | null {
    const batch = batchOf(value)
    const tenantId = value['tenantId'] === null ? deployment : value['tenantId']
    if (batch === null || typeof tenantId !== 'string') {
      this.#fault('changed', `line ${this.#line} is not a batch`)
      return null
    }
    this.#tenantId ??= tenantId
    if (tenantId !== this.#tenantId) this.#fault('changed', `line ${this.#line} is of another log`)
    else if (!isWritten(line, () => presentBatchLine(batch, value['tenantId'] as string | null)))
      this.#fault('changed', `line ${this.#line} is not a batch as the service exports it`)
    this.#counts.batches++
    return batch
  }

  #takeDone({ events, batches, head: stored }: Fields, line: string): void {
    const head = isRecord(stored) ? headOf(stored) : null
    const { row, wrong } = head === null ? { row: null, wrong: null } : wellTypedHead(head)
    this.#head = row
    if (wrong !== null || JSON.stringify({ done: { events, batches, head } }) !== line || !this.#isReachable(row))
      this.#fault('changed', `line ${this.#line} is not a last line as the service exports it`)
    // Reported above, where they are not numbers.
    const isCounted = typeof events === 'number' && typeof batches === 'number'
    if (isCounted && (events !== this.#counts.events || batches !== this.#counts.batches))
      this.#fault('missing', `the export has ${named(this.#counts)}; its last line says ${named({ events, batches })}`)
  }

  /** Whether a log with the batches that were read can end there: each further batch has an event. */
  #isReachable(head: EventHead | null): boolean {
    if (head === null) return this.#last === null
    const { batch, firstSequence, count } = this.#last ?? { batch: 0, firstSequence: 1, count: 0 }
    return head.batch <= batch || head.sequence - (firstSequence + count - 1) >= head.batch - batch
  }

  /** Where the log ended; undefined when the export does not reach it. */
  end(): EventHead | undefined {
    if (this.#head === undefined) this.#fault('missing', 'the export is incomplete: its last line is missing')
    this.#release((this.#last?.batch ?? 0) + 1)
    const head = this.#head ?? null
    return head !== null && head.batch <= (this.#last?.batch ?? 0) ? head : undefined
  }

  async close(): Promise<void> {
    await this.#lines.return?.()
  }

  range(): ExportedRange {
    return { tenantId: this.#tenantId, first: this.#first, last: this.#last, head: this.#head ?? null }
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type Fields = Readonly<Record<string, unknown>>

const headOf = ({ batch, sequence, hash }: Fields): EventHead => ({ batch, sequence, hash }) as unknown as EventHead

function parsed(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Whether a line is the JSON of what it says; a value that cannot be presented is not. */
function isWritten(line: string, present: () => unknown): boolean {
  try {
    return JSON.stringify(present()) === line
  } catch {
    return false
  }
}

/** The event as stored; its values are compared with the line afterwards. Null without a sequence. */
function eventOf(value: Fields): Mutable<SealedEvent> | null {
  const { sequence, id, at, type, actor, subject, outcome, requestId, personal, commitment } = value
  if (!Number.isSafeInteger(sequence) || !isRecord(actor) || !isRecord(subject)) return null
  // A member that is absent is null, which its line is not.
  const event = {
    sequence,
    batch: 0,
    id: id ?? null,
    at: Date.parse(at as string),
    type: type ?? null,
    actorKind: actor['kind'] ?? null,
    actorId: actor['id'] ?? null,
    subjectKind: subject['kind'] ?? null,
    subjectId: subject['id'] ?? null,
    outcome: outcome ?? null,
    requestId: requestId ?? null,
    public: JSON.stringify(value['public'] ?? null),
    personal: personal === null ? null : JSON.stringify(personal ?? ''),
    commitment: commitment ?? null,
  }
  return event as Mutable<SealedEvent>
}

const numbers = ['batch', 'firstSequence', 'count'] as const
const texts = ['root', 'previous', 'hash', 'kid', 'signature'] as const

function batchOf(value: Fields): StoredBatch | null {
  if (!numbers.every((name) => Number.isSafeInteger(value[name])) || !texts.every((name) => isText(value[name])))
    return null
  const { sealedAt, purgedAt } = value
  if (!['rowHashes', 'purgeKid', 'purgeSignature'].every((name) => isText(value[name] ?? ''))) return null
  return {
    ...Object.fromEntries([...numbers, ...texts].map((name) => [name, value[name]])),
    sealedAt: Date.parse(sealedAt as string),
    rowHashes: value['rowHashes'] ?? null,
    kept: value['kept'] ?? null,
    purgedAt: purgedAt === null || purgedAt === undefined ? null : Date.parse(purgedAt as string),
    purgeKid: value['purgeKid'] ?? null,
    purgeSignature: value['purgeSignature'] ?? null,
  } as unknown as StoredBatch
}

const isText = (value: unknown): value is string => typeof value === 'string'

const named = ({ events, batches }: { events: unknown; batches: unknown }) => `${events} events and ${batches} batches`
