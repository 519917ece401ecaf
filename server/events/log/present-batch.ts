import type { Checkpoint, EventLine, SealedLine } from '../../../contract/admin/events.ts'
import { optionalTimestamp, timestamp } from '../../../contract/envelope.ts'
import type { SealedEvent, StoredBatch } from '../sealed-log.ts'
import { readBatch, readEvent } from './stored-values.ts'

/** @param tenantId null in the log of the deployment */
export function presentCheckpoint(stored: StoredBatch, tenantId: string | null): Checkpoint {
  const batch = readBatch(stored)
  return {
    tenantId,
    batch: batch.batch,
    firstSequence: batch.firstSequence,
    count: batch.count,
    sealedAt: timestamp(batch.sealedAt),
    root: batch.root,
    previous: batch.previous,
    hash: batch.hash,
    kid: batch.kid,
    signature: batch.signature,
    kept: batch.kept,
    purgedAt: optionalTimestamp(batch.purgedAt),
    purgeKid: batch.purgeKid,
    purgeSignature: batch.purgeSignature,
  }
}

/** An event with everything that its hash covers. */
export const presentSealed = (event: SealedEvent): SealedLine => {
  const parts = readEvent(event)
  return {
    sequence: event.sequence,
    id: event.id,
    at: timestamp(event.at),
    type: event.type,
    actor: { kind: event.actorKind, id: event.actorId },
    subject: { kind: event.subjectKind, id: event.subjectId },
    outcome: event.outcome,
    requestId: event.requestId,
    public: { ...parts.public },
    personal: parts.personal && { ...parts.personal },
    commitment: event.commitment,
  }
}

export const presentBatchLine = (batch: StoredBatch, tenantId: string | null): EventLine => ({
  batch: { ...presentCheckpoint(batch, tenantId), rowHashes: batch.rowHashes },
})
