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
  /**
   * Deletes the rows of a batch except those to keep, and stores the mark in the same transaction; without a mark it
   * deletes the rows alone.
   * @param markOf makes the mark from the stored rows, in the order of `sequence`
   * @returns null when another process has purged the batch since it was listed; nothing is done then
   */
  purge(
    batch: StoredBatch,
    keep: KeptRows,
    markOf: (rows: readonly SealedEvent[]) => PurgeMark | null,
  ): Promise<{ readonly marked: boolean; readonly deleted: number } | null>
}
