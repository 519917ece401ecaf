import type { CheckpointSigner } from './checkpoint-keys.ts'
import { batchRoot, joinRowHashes, purgeDigest, rowHash, signDigest, splitRowHashes } from './seal.ts'
import type { PurgeMark, SealedEvent, StoredBatch } from './sealed-log.ts'

/** What a purge leaves of a batch. */
export type KeptRows = 'acts of operators' | 'nothing'

/** A stored row, without what only its hash covers. */
export interface HashedRow extends Pick<SealedEvent, 'sequence' | 'actorKind'> {
  readonly hash: string
}

export const hashedRow = (event: SealedEvent): HashedRow => ({
  sequence: event.sequence,
  actorKind: event.actorKind,
  hash: rowHash(event),
})

const isKept = ({ actorKind }: HashedRow, kept: KeptRows): boolean =>
  kept === 'acts of operators' && actorKind === 'operator'

/** What purging a batch needs to know. */
interface BatchPurge {
  readonly tenantId: string
  readonly batch: StoredBatch
  /** The stored rows of the batch, in the order of `sequence`. */
  readonly rows: readonly HashedRow[]
  readonly keep: KeptRows
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * The signed mark of a purge. It keeps the hashes of the deleted rows as long as others of the batch are stored, so that
 * these still verify.
 * @returns null when the rows are not those that were sealed: signing them would hide it
 */
export function purgeMark(
  { tenantId, batch, rows, keep, now }: BatchPurge,
  signer: CheckpointSigner,
): PurgeMark | null {
  const hashes = storedHashes(batch, rows)
  if (rows.length !== (batch.kept ?? batch.count) || batchRoot(hashes) !== batch.root) return null
  const kept = rows.filter((row) => isKept(row, keep)).length
  const rowHashes = kept === 0 ? null : joinRowHashes(hashes)
  const digest = purgeDigest(tenantId, { batch: batch.batch, hash: batch.hash, kept, purgedAt: now, rowHashes })
  return { rowHashes, kept, purgedAt: now, purgeKid: signer.kid, purgeSignature: signDigest(digest, signer.privateKey) }
}

/** The hashes of stored rows are computed, those of purged rows are read from the mark. */
function storedHashes({ firstSequence, rowHashes }: StoredBatch, rows: readonly HashedRow[]): string[] {
  if (rowHashes === null) return rows.map(({ hash }) => hash)
  const hashes = splitRowHashes(rowHashes)
  for (const { sequence, hash } of rows) hashes[sequence - firstSequence] = hash
  return hashes
}
