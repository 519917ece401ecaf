import type { Command } from 'commander'
import { publicKeysOf } from '../server/events/verify/public-keys.ts'
import type { Fault } from '../server/events/verify/verified-log.ts'
import { type LinesFile, type VerifiedExport, verifyExport } from '../server/events/verify/verify-export.ts'
import { asJson } from './answer.ts'
import { openFile, readJson } from './input.ts'
import { shown } from './layout.ts'
import { linesIn } from './lines.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

interface VerifyOptions {
  readonly export?: string
  readonly checkpoints?: string
  readonly keys?: string
  readonly anchors?: string
  readonly complete?: true
}

const notes = `
Needs neither a server nor a database. Trust in the result comes from the files:
  --export       what is verified; need not be trusted
  --checkpoints  saved earlier with "tenantry events checkpoints" and stored where the operators of the server cannot
                 change it: its batches must be those of the export, so a log that was rewritten since is found, even
                 if it was signed with the right key
  --keys         public keys (GET /admin/checkpoint-keys), obtained from a server you trust; default: those in --checkpoints
  --anchors      heads that the server has anchored (TENANTRY_EVENTS_ANCHOR), one on each line

An export may end before the newest checkpoint; that is noted. With --complete, which is for exports that were made after
the checkpoints and anchors, it is a fault: the newest batches were dropped.

Exit code 1: something is not as it was sealed; the first fault is named.`

/** `tenantry events verify`. */
export function addVerifyCommand(events: Command, terminal: Terminal): void {
  events
    .command('verify')
    .description('verify an exported log with nothing but files')
    .requiredOption('--export <file>', 'the export to verify; - for standard input')
    .option('--checkpoints <file>', 'checkpoints of the same log that were saved earlier')
    .option('--keys <file>', 'JWK set of trusted checkpoint keys')
    .option('--anchors <file>', 'anchored heads, one on each line')
    .option('--complete', 'require the export to reach the newest checkpoint and anchor')
    .addHelpText('after', notes)
    .action((options: VerifyOptions, command: Command) => verifyFiles(options, command, terminal))
}

async function verifyFiles(options: VerifyOptions, command: Command, terminal: Terminal): Promise<void> {
  if (options.checkpoints === undefined && options.keys === undefined)
    return command.error('error: no trusted public keys; add --checkpoints or --keys')
  const verified = await verifyExport({
    export: linesOf(options.export!, terminal),
    checkpoints: options.checkpoints === undefined ? undefined : linesOf(options.checkpoints, terminal),
    anchors: options.anchors === undefined ? undefined : linesOf(options.anchors, terminal),
    keys: options.keys === undefined ? undefined : await keysOf(options.keys, terminal),
    isComplete: options.complete === true,
  })
  const { json } = command.optsWithGlobals<{ json?: true }>()
  terminal.write(json ? asJson(verified) : `${described(verified)}\n`)
  requireNoFaults(verified)
}

const linesOf = (path: string, terminal: Terminal): LinesFile => ({ name: path, lines: readLines(path, terminal) })

/** Opens the file with the first line that is read. */
async function* readLines(path: string, terminal: Terminal): AsyncGenerator<string, void> {
  const { chunks } = await openFile(path, terminal)
  yield* linesIn(chunks)
}

async function keysOf(path: string, terminal: Terminal) {
  const set = await readJson(path, terminal)
  try {
    return publicKeysOf(set)
  } catch (error) {
    throw new CommandFailure(`${path}: ${(error as Error).message}`)
  }
}

/** @throws CommandFailure that names the first fault */
export function requireNoFaults({ faults, faultCount }: Pick<VerifiedExport, 'faults' | 'faultCount'>): void {
  const [first] = faults
  if (first === undefined) return
  throw new CommandFailure(`The log is not as it was sealed: ${faultCount} fault(s). First: ${inWords(first)}`)
}

const inWords = ({ batch, sequence, kind, problem }: Fault): string =>
  `batch ${batch}${sequence === undefined ? '' : `, event ${sequence}`}: ${kind}: ${shown(problem)}`

function described({
  verified,
  purged,
  erased,
  head,
  faults,
  faultCount,
  range,
  known,
  beyond,
}: VerifiedExport): string {
  const { first, last, tenantId } = range
  return [
    ...(first === null || last === null
      ? ['The export has no batches.']
      : [
          `Log of ${shown(tenantId === 'deployment' ? 'the deployment' : `tenant ${tenantId}`)}`,
          `Covered: batches ${first.batch} to ${last.batch}, events ${first.firstSequence} to ${last.firstSequence + last.count - 1}`,
        ]),
    ...summaryLines({ verified, purged, erased, head }),
    `Compared with ${known.checkpoints} checkpoint(s) and ${known.anchors} anchor(s)`,
    ...(beyond === null
      ? []
      : [
          `Not covered: ${shown(beyond.source)} has batch ${beyond.batch}. The export was made before, or its end is missing; --complete makes this a fault`,
        ]),
    ...faultLines(faults, faultCount),
  ].join('\n')
}

/** The lines that describe a verification, here or on the server. */
export const summaryLines = ({
  verified,
  purged,
  erased,
  head,
}: {
  readonly verified: { readonly batches: number; readonly events: number }
  readonly purged: { readonly events: number; readonly lastBatch: number | null }
  readonly erased: number
  readonly head: { readonly batch: number; readonly hash: string; readonly sealedAt: number | string } | null
}): string[] => [
  `Verified: ${verified.events} event(s) in ${verified.batches} batch(es)`,
  ...(purged.lastBatch === null ? [] : [`Purged: ${purged.events} event(s) up to batch ${purged.lastBatch}`]),
  ...(erased === 0 ? [] : [`Erased: the personal part of ${erased} event(s)`]),
  ...(head === null
    ? []
    : [`Head: batch ${head.batch}, sealed ${new Date(head.sealedAt).toISOString()}, hash ${shown(head.hash)}`]),
]

export const faultLines = (faults: readonly Fault[], count: number): string[] => [
  ...faults.map((fault) => `Fault: ${inWords(fault)}`),
  ...(count > faults.length ? [`… and ${count - faults.length} more`] : []),
]
