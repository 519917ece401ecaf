import { admin } from '../session/admin.ts'
import { type LogOf, readCheckpoints } from './activity-queries.ts'

/**
 * The file that `tenantry events checkpoints` writes and `tenantry events verify --checkpoints` reads: the public keys, every
 * batch, newest first, and their number.
 *
 * @param onRead how many batches are read
 */
export async function readCheckpointFile(
  tenantId: LogOf,
  signal: AbortSignal,
  onRead: (batches: number) => void,
): Promise<Blob> {
  const { keys } = await admin.getCheckpointKeys({ signal })
  const lines: object[] = [{ keys }]
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await readCheckpoints(tenantId, { cursor, limit: 200 }, signal)
    for (const checkpoint of items) lines.push({ checkpoint })
    onRead(lines.length - 1)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  lines.push({ done: { checkpoints: lines.length - 1 } })
  return new Blob(
    lines.map((line) => `${JSON.stringify(line)}\n`),
    { type: 'application/x-ndjson' },
  )
}
