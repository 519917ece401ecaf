import type { KeptRows } from './purge-mark.ts'
import type { PurgeMark, SealedEvent, StoredBatch } from './sealed-log.ts'

/** A place between two batches of a log, in the order of sealing. */
export type PurgeCursor = Pick<StoredBatch, 'sealedAt' | 'batch'>

/** Batches with rows to purge. */
export interface UnpurgedBatches {
  /** Those with all their rows, or those with acts of operators alone. */
  readonly have: 'all rows' | 'acts of operators'
  /** Epoch milliseconds: sealed before this time. */
  readonly before: number
  readonly after: PurgeCursor
  readonly limit: number
}

/** Deletes old events of one log. Their batches stay, so that the chain stays whole. */
export interface EventPurgeStore {
  list(batches: UnpurgedBatches): Promise<StoredBatch[]>
  /** The next stored rows of a batch after a sequence, in the order of `sequence`. */
  rows(batch: StoredBatch, after: number, limit: number): Promise<SealedEvent[]>
  /**
   * Deletes the rows of a batch except those to keep, and stores the mark in the same transaction; without a mark it
   * deletes the rows alone.
   * @returns the number of deleted rows; null when another process has purged the batch since it was listed, and nothing
   *   is done
   */
  purge(batch: StoredBatch, keep: KeptRows, mark: PurgeMark | null): Promise<number | null>
}
