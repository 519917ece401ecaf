import type { CheckpointSigner } from './checkpoint-keys.ts'
import type { SealBatch } from './event-sealing.ts'
import { batchHash, batchRoot, rowHash, signDigest } from './seal.ts'

/** Makes one signed batch of the events of a log. */
export const sealBatchWith =
  (signer: CheckpointSigner, sealedAt: number): SealBatch =>
  ({ tenantId, head, events }) => {
    const content = {
      batch: head.batch + 1,
      firstSequence: head.sequence + 1,
      count: events.length,
      sealedAt,
      root: batchRoot(events.map(rowHash)),
      previous: head.hash,
    }
    const hash = batchHash(tenantId, content)
    return { ...content, hash, kid: signer.kid, signature: signDigest(hash, signer.privateKey) }
  }
