import type { HashedEvent } from './seal.ts'
import type { EventBatch, EventHead } from './sealed-log.ts'

/** Events of one log that are being sealed. */
export interface UnsealedLog {
  readonly tenantId: string
  /** The end of the log before them. */
  readonly head: EventHead
  /** In the order of `sequence`. */
  readonly events: readonly HashedEvent[]
}

/** What one transaction sealed. */
export interface Sealing {
  readonly events: number
  readonly batches: number
  /** `at` of the oldest of them; null when there was none. */
  readonly oldest: number | null
  /** How long the transaction held the writer, without its COMMIT. */
  readonly heldMs: number
}

/** The queued events of all logs. */
export interface QueueDepth {
  /** Counted up to the limit. */
  readonly events: number
  /** `at` of the oldest, approximately; null when there is none. */
  readonly oldest: number | null
}

export type SealBatch = (log: UnsealedLog) => EventBatch

/** Moves queued events of all tenants to their sealed logs. */
export interface EventSealing {
  /**
   * Takes up to `most` of the oldest queued events, leaving out logs that another process is sealing and those in
   * `leftOut`, and stores them in batches of at most 4,000, of one log each. Each event gets the next sequence of
   * its log, in the order of ids. All of it is one transaction: when one log fails, so do the others.
   * @param sealBatch called with each log; may be called again with other events when the transaction conflicts
   */
  seal(most: number, sealBatch: SealBatch, leftOut?: readonly string[]): Promise<Sealing>
  /** Seals the oldest events of one log only. Slower than `seal`. */
  sealLog(tenantId: string, most: number, sealBatch: SealBatch): Promise<Sealing>
  /** The tenants whose events `seal` would take. */
  oldestLogs(most: number, leftOut: readonly string[]): Promise<string[]>
  depth(most: number): Promise<QueueDepth>
}
