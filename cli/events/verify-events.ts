import { type Command, InvalidArgumentError } from 'commander'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'
import { deployment } from '../../server/core/deployment.ts'
import { readAnchors } from '../../server/events/anchor/anchor-line.ts'
import { publicKeysOf } from '../../server/events/verify/public-keys.ts'
import type { Fault } from '../../server/events/verify/verified-log.ts'
import { type LinesFile, type VerifiedExport, verifyExport } from '../../server/events/verify/verify-export.ts'
import { asJson } from '../answer.ts'
import { connect } from '../connection.ts'
import { globalOptions } from '../global-options.ts'
import { openFile, readJson } from '../terminal/input.ts'
import { shown } from '../terminal/layout.ts'
import { linesIn } from '../terminal/lines.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'
import { listCheckpoints } from './event-files.ts'
import { addLogOptions, findLog, type OfLog } from './log-argument.ts'

interface VerifyOptions extends OfLog {
  readonly export?: string
  readonly checkpoints?: string
  readonly keys?: string
  readonly anchors?: string
  readonly complete?: true
  readonly from?: number
}

const notes = `
Without --export the server verifies its own log, and --anchors compares it with anchored heads. That finds what was
changed in the database without the master keys; the server itself must be trusted.

With --export neither a server nor a database is needed. Trust in the result comes from the files:
  --export       what is verified; need not be trusted
  --checkpoints  saved earlier with "tenantry events checkpoints" and stored where the operators of the server cannot
                 change it: its batches must be those of the export, so a log that was rewritten since is found, even
                 if it was signed with the right key
  --keys         public keys (GET /admin/checkpoint-keys), obtained from a server you trust; default: those in --checkpoints
                 A new key begins each year: batches signed with one that is newer than the checkpoints need this option
  --anchors      heads that the server has anchored (TENANTRY_EVENTS_ANCHOR), one on each line

An export may end before the newest checkpoint; that is noted. With --complete, which is for exports that were made after
the checkpoints and anchors, it is a fault: the newest batches were dropped.

Exit code 1: something is not as it was sealed; the first fault is named. Or --anchors has no anchor of the log.`

/** `tenantry events verify`. */
export function addVerifyCommand(events: Command, terminal: Terminal): void {
  addLogOptions(events.command('verify'))
    .description('verify the log of the server, or an exported log with nothing but files')
    .option('--from <batch>', 'first batch that the server verifies (default: 1)', batchNumber)
    .option('--export <file>', 'verify this export, without a server; - for standard input')
    .option('--checkpoints <file>', 'checkpoints of the exported log that were saved earlier')
    .option('--keys <file>', 'JWK set of trusted checkpoint keys')
    .option('--anchors <file>', 'anchored heads, one on each line')
    .option('--complete', 'require the export to reach the newest checkpoint and anchor')
    .addHelpText('after', notes)
    .action((options: VerifyOptions, command: Command) =>
      options.export === undefined
        ? verifyOnServer(options, command, terminal)
        : verifyFiles(options, command, terminal),
    )
}

function batchNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Must be a whole number from 1.')
  return Number(text)
}

async function verifyOnServer(options: VerifyOptions, command: Command, terminal: Terminal): Promise<void> {
  for (const name of ['checkpoints', 'keys', 'complete'] as const) {
    if (options[name] !== undefined) return command.error(`error: --${name} needs --export`)
  }
  const { url, json } = globalOptions(command)
  // A large log takes longer than other calls.
  const admin = connect(url, terminal, { isPatient: true })
  const tenantId = await findLog(options, admin, terminal)
  const body = options.from === undefined ? {} : { fromBatch: options.from }
  const result =
    tenantId === null ? await admin.verifyDeploymentEvents(body) : await admin.verifyEvents({ tenantId }, body)
  const compared =
    options.anchors === undefined ? null : await compareWithAnchors(options.anchors, tenantId, admin, terminal)
  const faults = [...result.faults, ...(compared?.faults ?? [])] as Fault[]
  const faultCount = result.faultCount + (compared?.faults.length ?? 0)
  const known = compared === null ? {} : { known: { anchors: compared.anchors } }
  const lines = [
    ...summaryLines(result),
    ...(compared === null ? [] : [`Compared with ${compared.anchors} anchor(s)`]),
    ...faultLines(faults, faultCount),
  ]
  terminal.write(json ? asJson({ ...result, faults, faultCount, ...known }) : `${lines.join('\n')}\n`)
  requireNoFaults({ faults, faultCount })
  requireAnchors(options.anchors, compared?.anchors)
}

/** How the log of the server differs from its anchored heads. */
async function compareWithAnchors(
  anchors: string,
  tenantId: string | null,
  admin: TenantryAdmin,
  terminal: Terminal,
): Promise<{ readonly anchors: number; readonly faults: Fault[] }> {
  const keys = publicKeysOf(await admin.getCheckpointKeys())
  const file = linesOf(anchors, terminal)
  const anchored = await readAnchors(file.lines, { name: file.name, tenantId: tenantId ?? deployment, keys })
  const oldest = anchored.reduce((least, { batch }) => Math.min(least, batch), Infinity)
  const hashes = new Map<number, string>()
  for await (const { batch, hash } of listCheckpoints(admin, tenantId)) {
    if (batch < oldest) break
    hashes.set(batch, hash)
  }
  const faults = anchored
    .filter(({ batch, hash }) => hashes.get(batch) !== hash)
    .map(
      ({ batch, source }): Fault =>
        hashes.has(batch)
          ? { batch, kind: 'changed', problem: `the batch differs from ${source}` }
          : { batch, kind: 'gap', problem: `the batch of ${source} is missing` },
    )
  return { anchors: anchored.length, faults }
}

async function verifyFiles(options: VerifyOptions, command: Command, terminal: Terminal): Promise<void> {
  if (options.checkpoints === undefined && options.keys === undefined)
    return command.error('error: no trusted public keys; add --checkpoints or --keys')
  for (const name of ['tenant', 'deployment', 'from'] as const) {
    if (options[name] !== undefined) return command.error(`error: --${name} cannot be combined with --export`)
  }
  const { export: exported, checkpoints, keys, anchors } = options
  if ([exported, checkpoints, keys, anchors].filter((file) => file === '-').length > 1)
    return command.error('error: only one of the files can be standard input')
  const verified = await verifyExport({
    export: linesOf(options.export!, terminal),
    checkpoints: options.checkpoints === undefined ? undefined : linesOf(options.checkpoints, terminal),
    anchors: options.anchors === undefined ? undefined : linesOf(options.anchors, terminal),
    keys: options.keys === undefined ? undefined : await keysOf(options.keys, terminal),
    isComplete: options.complete === true,
  })
  const { json } = globalOptions(command)
  terminal.write(json ? asJson(verified) : `${described(verified)}\n`)
  requireNoFaults(verified)
  requireAnchors(options.anchors, verified.known.anchors)
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
function requireNoFaults({ faults, faultCount }: Pick<VerifiedExport, 'faults' | 'faultCount'>): void {
  const [first] = faults
  if (first === undefined) return
  throw new CommandFailure(`The log is not as it was sealed: ${faultCount} fault(s). First: ${inWords(first)}`)
}

/** @throws CommandFailure if a file of anchors has none of the log, which proves nothing */
function requireAnchors(path: string | undefined, count: number | undefined): void {
  if (path === undefined || count !== 0) return
  throw new CommandFailure(
    `${path} has no anchor of this log, so the log was not compared. Check that the file is complete and of this deployment (TENANTRY_EVENTS_ANCHOR), and that the log is the right one. The first anchor of a log is written within an hour of its first event.`,
  )
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
          `Log of ${shown(tenantId === deployment ? 'the deployment' : `tenant ${tenantId}`)}`,
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
const summaryLines = ({
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

const faultLines = (faults: readonly Fault[], count: number): string[] => [
  ...faults.map((fault) => `Fault: ${inWords(fault)}`),
  ...(count > faults.length ? [`… and ${count - faults.length} more`] : []),
]
