/**
 * - `missing`: an event, or the end of the log, is not stored.
 * - `changed`: something is stored otherwise than it was sealed, or was never sealed.
 * - `reordered`: events or batches are stored in another order.
 * - `signature`: a signature does not hold, or its key is not trusted.
 * - `gap`: batches are missing, or a batch does not continue the one before.
 */
const faultKinds = ['missing', 'changed', 'reordered', 'signature', 'gap'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly batch: number
  /** Absent when the hashes do not tell which event of the batch it is. */
  readonly sequence?: number
  readonly kind: FaultKind
  /** What is wrong, for a reader. */
  readonly problem: string
}

/** The result of a verification. */
export interface VerifiedLog {
  /** Batches without a fault, and their stored events. */
  readonly verified: { readonly batches: number; readonly events: number }
  /** Events whose retention has ended, and the last batch with such events. */
  readonly purged: { readonly events: number; readonly lastBatch: number | null }
  /** Events whose personal part was erased. */
  readonly erased: number
  /** The last batch; null when nothing is sealed. */
  readonly head: { readonly batch: number; readonly hash: string; readonly sealedAt: number } | null
  /** The first ones. */
  readonly faults: readonly Fault[]
  readonly faultCount: number
}

export const mostFaults = 100
