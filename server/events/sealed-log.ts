import type { QueuedEvent } from './event.ts'

/** An event in the sealed log. Only `personal` ever changes: it becomes null when the person is erased. */
export interface SealedEvent extends QueuedEvent {
  /** Counts the events of the log from 1 without a gap, in the order of sealing. */
  readonly sequence: number
  readonly batch: number
}

/** Events of one log that were sealed together; it links to the batch before. */
export interface EventBatch {
  /** Counts the batches of the log from 1 without a gap. */
  readonly batch: number
  readonly firstSequence: number
  readonly count: number
  /** Epoch milliseconds. */
  readonly sealedAt: number
  /** base64url SHA-256 over the row hashes in the order of `sequence`. */
  readonly root: string
  /** `hash` of the batch before; empty in the first. */
  readonly previous: string
  /** base64url SHA-256 of `previous` and the members above. */
  readonly hash: string
  /** The checkpoint key of `signature`. */
  readonly kid: string
  /** base64url Ed25519 over the 32 bytes of `hash`. */
  readonly signature: string
}

/** What marks a batch with purged rows; every member is null when all its rows are stored. */
export interface PurgeMark {
  /** The hashes of all its rows, concatenated, in base64url; null when no row is kept. */
  readonly rowHashes: string | null
  /** How many rows are kept: operators' acts, which are stored longer. */
  readonly kept: number | null
  readonly purgedAt: number | null
  readonly purgeKid: string | null
  readonly purgeSignature: string | null
}

export type StoredBatch = EventBatch & PurgeMark

/** The end of a log. */
export interface EventHead {
  /** 0 when nothing is sealed yet. */
  readonly batch: number
  readonly sequence: number
  readonly hash: string
}
