import { deployment } from '../../core/deployment.ts'
import { readAnchors } from '../anchor/anchor-line.ts'
import { startOfLog } from './check-batch.ts'
import type { PublicKeys } from './public-keys.ts'
import { type ExportedLog, type ExportedRange, readExport } from './read-export.ts'
import { readCheckpoints, type SavedCheckpoints } from './saved-checkpoints.ts'
import type { Fault, VerifiedLog } from './verified-log.ts'
import { type ExpectedBatch, verifyLog } from './verify-log.ts'

/** A file to read, line by line. */
export interface LinesFile {
  readonly name: string
  readonly lines: AsyncIterable<string>
}

interface ExportToVerify {
  readonly export: LinesFile
  readonly checkpoints?: LinesFile | undefined
  readonly anchors?: LinesFile | undefined
  /** Default: the keys in the file of checkpoints. */
  readonly keys?: PublicKeys | undefined
  /** Whether the export was made after the checkpoints and anchors, so that it must reach them. */
  readonly isComplete: boolean
}

export interface VerifiedExport extends VerifiedLog {
  readonly range: ExportedRange
  /** How many batches and heads of other files were known. */
  readonly known: { readonly checkpoints: number; readonly anchors: number }
  /** The newest one that is known beyond the end of the export. */
  readonly beyond: ExpectedBatch | null
}

/**
 * Verifies an export with nothing but files.
 * @throws Error about a file that cannot be used
 */
export async function verifyExport(files: ExportToVerify): Promise<VerifiedExport> {
  const saved = files.checkpoints && (await readCheckpoints(files.checkpoints.lines, files.checkpoints.name))
  const source = await readExport(files.export.lines)
  try {
    return await verifySource(source, files, saved)
  } finally {
    await source.close()
  }
}

async function verifySource(
  source: ExportedLog,
  files: ExportToVerify,
  saved: SavedCheckpoints | undefined,
): Promise<VerifiedExport> {
  const keys = files.keys ?? saved?.keys ?? new Map()
  const tenantId = source.range().tenantId ?? saved?.tenantId ?? deployment
  if (saved && saved.tenantId !== null && saved.tenantId !== tenantId)
    throw new Error(`${files.checkpoints?.name}: the checkpoints are of another log than ${files.export.name}`)
  const anchors = files.anchors
    ? await readAnchors(files.anchors.lines, { name: files.anchors.name, tenantId, keys })
    : []
  const expected = [...(saved?.batches ?? []), ...anchors]
  const result = await verifyLog(source, {
    tenantId,
    publicKey: (kid) => keys.get(kid),
    from: source.range().first?.batch === 1 ? startOfLog : null,
    expected,
    reachesExpected: files.isComplete,
  })
  const range = source.range()
  const last = range.last?.batch ?? 0
  const apart = saved && apartFrom(saved.batches, range)
  return {
    ...result,
    faults: apart ? [apart, ...result.faults] : result.faults,
    faultCount: result.faultCount + (apart ? 1 : 0),
    range,
    known: { checkpoints: saved?.batches.length ?? 0, anchors: anchors.length },
    beyond: expected.filter(({ batch }) => batch > last).toSorted((one, other) => other.batch - one.batch)[0] ?? null,
  }
}

/** An export that begins after the last checkpoint may be of a log that was rewritten in between. */
function apartFrom(checkpoints: readonly ExpectedBatch[], { first }: ExportedRange): Fault | null {
  const newest = checkpoints[0]?.batch ?? 0
  if (first === null || newest === 0 || newest >= first.batch - 1) return null
  const problem = `the checkpoints end with batch ${newest}, so nothing connects them with the export; export from that batch on, or use later checkpoints`
  return { batch: first.batch, kind: 'gap', problem }
}
