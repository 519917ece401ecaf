import type { KeyObject } from 'node:crypto'
import { commitmentOf } from '../../core/commitment.ts'
import { batchHash, batchRoot, isSignatureOf, purgeDigest, rowHash, splitRowHashes } from '../seal.ts'
import type { SealedEvent, StoredBatch } from '../sealed-log.ts'
import type { Fault, FaultKind } from './verified-log.ts'
import { wellTypedBatch, wellTypedEvent } from './well-typed.ts'

/** The public half of a trusted checkpoint key. */
export type PublicKeyOf = (kid: string) => KeyObject | undefined

/** The end of what was verified so far. */
export interface LogPosition {
  readonly batch: number
  /** null when the range of the last batch is not known. */
  readonly sequence: number | null
  /** The hashes that the next batch may continue: two where the one stored is not that of the content. */
  readonly hashes: readonly string[]
}

export const startOfLog: LogPosition = { batch: 0, sequence: 0, hashes: [''] }

/** Sealing takes far fewer. A larger count is not checked event by event. */
const mostEvents = 100_000

const lastSequence = ({ firstSequence, count }: StoredBatch): number => firstSequence + count - 1

export interface BatchReport {
  readonly faults: readonly Fault[]
  /** Events that are stored. */
  readonly events: number
  readonly purged: number
  /** Stored events without their personal part. */
  readonly erased: number
  readonly end: LogPosition
}

/** Checks one batch, then its events in the order of their sequence. */
export class BatchCheck {
  readonly batch: StoredBatch
  /** Whether its events can be checked; otherwise the batch itself is not as it was sealed. */
  readonly hasRange: boolean
  readonly last: number
  readonly #publicKey: PublicKeyOf
  readonly #faults: Fault[] = []
  readonly #end: LogPosition
  /** The stored hashes of all events of a purged batch that keeps some. */
  readonly #storedHashes: readonly string[] | null
  readonly #isPurged: boolean
  readonly #rowHashes: string[] = []
  #next: number
  #events = 0
  #erased = 0
  #lastId = ''
  #outOfOrder: number | null = null

  constructor(tenantId: string, stored: StoredBatch, before: LogPosition | null, publicKey: PublicKeyOf) {
    const { row: batch, wrong } = wellTypedBatch(stored)
    this.batch = batch
    if (wrong !== null) this.#fault('changed', `the batch has an invalid value in ${wrong}`)
    this.last = lastSequence(batch)
    this.#publicKey = publicKey
    this.#next = batch.firstSequence
    const computed = batchHash(tenantId, batch)
    const isWhole = this.#checkBatch(computed)
    this.hasRange = isWhole && batch.count <= mostEvents
    this.#checkOrder(before)
    this.#storedHashes = batch.rowHashes === null ? null : splitRowHashes(batch.rowHashes)
    this.#isPurged = this.#checkPurge(tenantId)
    this.#end = { batch: batch.batch, sequence: this.hasRange ? this.last : null, hashes: [batch.hash, computed] }
  }

  #fault(kind: FaultKind, problem: string, sequence?: number): void {
    this.#faults.push({ batch: this.batch.batch, ...(sequence !== undefined && { sequence }), kind, problem })
  }

  /** @returns whether its range of events is the one that was sealed, as far as the hash tells */
  #checkBatch(computed: string): boolean {
    const { hash, kid, signature } = this.batch
    const isWhole = computed === hash
    if (!isWhole) this.#fault('changed', 'the batch does not have its hash')
    const key = this.#publicKey(kid)
    if (key === undefined) {
      this.#fault('signature', `no trusted checkpoint key has the kid "${kid}"`)
      return isWhole
    }
    if (isSignatureOf(computed, signature, key)) return true
    if (isWhole || !isSignatureOf(hash, signature, key)) this.#fault('signature', 'the signature does not hold')
    return isWhole
  }

  #checkOrder(before: LogPosition | null): void {
    const { batch, firstSequence, previous } = this.batch
    if (before === null) return
    if (batch <= before.batch) this.#fault('reordered', `batch ${batch} follows batch ${before.batch}`)
    else if (batch > before.batch + 1) this.#fault('gap', `${named(before.batch + 1, batch - 1)} missing`)
    else if (!before.hashes.includes(previous)) this.#fault('gap', 'the batch does not continue the one before')
    else if (this.hasRange && before.sequence !== null && firstSequence !== before.sequence + 1)
      this.#fault('gap', `the batch begins with event ${firstSequence} after event ${before.sequence}`)
  }

  /** @returns whether its events were purged */
  #checkPurge(tenantId: string): boolean {
    const { batch, hash, count, root, kept, purgedAt, rowHashes, purgeKid, purgeSignature } = this.batch
    if ([kept, purgedAt, rowHashes, purgeKid, purgeSignature].every((part) => part === null)) return false
    if (kept === null || purgedAt === null || purgeKid === null || purgeSignature === null) {
      this.#fault('changed', 'the mark of a purge is incomplete')
      return false
    }
    const key = this.#publicKey(purgeKid)
    const digest = purgeDigest(tenantId, { batch, hash, kept, purgedAt, rowHashes })
    if (key === undefined || !isSignatureOf(digest, purgeSignature, key))
      this.#fault('signature', 'the signature of the purge does not hold')
    const hashes = this.#storedHashes
    if (hashes === null ? kept !== 0 : hashes.length !== count || batchRoot(hashes) !== root)
      this.#fault('changed', 'the purge does not have the row hashes of the batch')
    return true
  }

  /** Takes the next stored event of the batch's range. */
  row(stored: SealedEvent): void {
    const { row: event, wrong } = wellTypedEvent(stored)
    const { sequence } = event
    this.#events++
    if (wrong !== null) this.#fault('changed', `event ${sequence} has an invalid value in ${wrong}`, sequence)
    if (sequence < this.#next) {
      this.#fault('reordered', `event ${sequence} stands after event ${this.#next - 1}`, sequence)
      return
    }
    if (!this.#isPurged && sequence > this.#next)
      this.#fault('missing', `${named(this.#next, sequence - 1, 'event')} missing`, this.#next)
    this.#next = sequence + 1
    if (event.batch !== this.batch.batch)
      this.#fault('changed', `event ${sequence} names batch ${event.batch}`, sequence)
    if (event.personal === null) this.#erased++
    else if (commitmentOf(event.personal) !== event.commitment)
      this.#fault('changed', `the personal part of event ${sequence} is not the one that was recorded`, sequence)
    const hash = rowHash(event)
    if (this.#isPurged) this.#checkKept(event, hash)
    this.#rowHashes.push(hash)
    // Sealing takes events in the order of their ids.
    if (event.id <= this.#lastId) this.#outOfOrder ??= sequence
    this.#lastId = event.id
  }

  /** Another event in the place of a kept one would leave their number as it is signed. */
  #checkKept({ sequence, actorKind }: SealedEvent, hash: string): void {
    if (this.#storedHashes?.[sequence - this.batch.firstSequence] !== hash)
      this.#fault('changed', `event ${sequence} is not as it was sealed`, sequence)
    else if (actorKind !== 'operator') this.#fault('changed', `event ${sequence} is stored, but was purged`, sequence)
  }

  /** What is known without its events. */
  get start(): Pick<BatchReport, 'faults' | 'end'> {
    return { faults: this.#faults, end: this.#end }
  }

  /** Call it after the last event of the range. */
  end(): BatchReport {
    if (this.hasRange) this.#checkEvents()
    const { count } = this.batch
    return {
      faults: this.#faults,
      events: this.#events,
      purged: this.#isPurged ? count - this.#events : 0,
      erased: this.#erased,
      end: this.#end,
    }
  }

  #checkEvents(): void {
    const { kept, root } = this.batch
    if (this.#isPurged) {
      if (kept !== null && this.#events < kept)
        this.#fault('missing', `${kept - this.#events} of ${kept} kept events are missing`)
      if (kept !== null && this.#events > kept)
        this.#fault('changed', `${this.#events} events are stored; the purge kept ${kept}`)
      return
    }
    if (this.#next <= this.last) {
      this.#fault('missing', `${named(this.#next, this.last, 'event')} missing`, this.#next)
      return
    }
    const hasEvents = this.#rowHashes.length === this.batch.count && this.#events === this.batch.count
    if (!hasEvents || batchRoot(this.#rowHashes) === root) return
    if (this.#outOfOrder !== null)
      this.#fault('reordered', `event ${this.#outOfOrder} is older than the one before`, this.#outOfOrder)
    else if (this.batch.count === 1) this.#fault('changed', `event ${this.last} is not as it was sealed`, this.last)
    else this.#fault('changed', `one of the events ${this.batch.firstSequence} to ${this.last} is not as it was sealed`)
  }
}

/** `batch 7 is` or `batches 7 to 9 are`. */
export function named(first: number, last: number, what = 'batch'): string {
  const many = what === 'batch' ? 'batches' : `${what}s`
  return first === last ? `${what} ${first} is` : `${many} ${first} to ${last} are`
}
