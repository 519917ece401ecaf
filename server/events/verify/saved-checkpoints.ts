import type { Checkpoint } from '../../../contract/admin/events.ts'
import { deployment } from '../../core/deployment.ts'
import { batchHash, isSignatureOf } from '../seal.ts'
import { type PublicKeys, publicKeysOf } from './public-keys.ts'
import type { ExpectedBatch } from './verify-log.ts'

/** A line of a file of checkpoints: the keys, then every batch, newest first, then their number. */
export type CheckpointLine =
  | { readonly keys: readonly object[] }
  | { readonly checkpoint: Checkpoint }
  | { readonly done: { readonly checkpoints: number } }

/** The batches of one log as they were when they were saved. */
export interface SavedCheckpoints {
  /** The id that the hashes cover; null when nothing was sealed. */
  readonly tenantId: string | null
  readonly keys: PublicKeys
  readonly batches: readonly ExpectedBatch[]
}

/**
 * Reads a file of checkpoints, and verifies that its batches are one chain with a valid signature at its end.
 * @throws Error that names the line
 */
export async function readCheckpoints(lines: AsyncIterable<string>, name: string): Promise<SavedCheckpoints> {
  const reading = new CheckpointReading(`the checkpoint in ${name}`)
  let number = 0
  for await (const line of lines) {
    number++
    try {
      reading.take(JSON.parse(line))
    } catch (error) {
      const problem = error instanceof SyntaxError ? 'not JSON' : (error as Error).message
      throw new Error(`${name}: line ${number}: ${problem}`)
    }
  }
  if (!reading.isDone) throw new Error(`${name}: the last line is missing; save the checkpoints again`)
  return reading
}

class CheckpointReading implements SavedCheckpoints {
  tenantId: string | null = null
  keys: PublicKeys = new Map()
  readonly batches: ExpectedBatch[] = []
  isDone = false
  readonly #source: string
  /** The hash that the next, older batch must have. */
  #previous: string | null = null

  constructor(source: string) {
    this.#source = source
  }

  take(line: Partial<{ keys: unknown; checkpoint: Checkpoint; done: { checkpoints: number } }> | null): void {
    if (this.isDone) throw new Error('follows the last line')
    if (line?.keys !== undefined) this.keys = publicKeysOf(line)
    else if (line?.checkpoint) this.#checkpoint(line.checkpoint)
    else if (line?.done) {
      if (line.done.checkpoints !== this.batches.length) throw new Error('checkpoints are missing before it')
      this.isDone = true
    } else throw new Error('not a line of a file that "tenantry events checkpoints" has written')
  }

  #checkpoint(checkpoint: Checkpoint): void {
    const { batch, hash, kid, signature, previous } = checkpoint
    this.tenantId ??= checkpoint.tenantId ?? deployment
    if ((checkpoint.tenantId ?? deployment) !== this.tenantId) throw new Error('a checkpoint of another log')
    const isWhole = batchHash(this.tenantId, { ...checkpoint, sealedAt: Date.parse(checkpoint.sealedAt) }) === hash
    if (!isWhole || (this.#previous !== null && hash !== this.#previous))
      throw new Error(`batch ${batch} is not the one that the newer batches continue`)
    if (this.#previous === null) {
      const key = this.keys.get(kid)
      if (key === undefined || !isSignatureOf(hash, signature, key))
        throw new Error(`the signature of batch ${batch} does not hold with the keys of the file`)
    }
    this.#previous = previous
    this.batches.push({ batch, hash, source: this.#source })
  }
}
