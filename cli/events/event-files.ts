import type { Command } from 'commander'
import type { Checkpoint, EventLine } from '../../contract/admin/events.ts'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'
import type { CheckpointLine } from '../../server/events/verify/saved-checkpoints.ts'
import { asJson } from '../answer.ts'
import { connect } from '../connection.ts'
import { globalOptions } from '../global-options.ts'
import { writeWhole } from '../terminal/private-file.ts'
import { startProgress } from '../terminal/progress-bar.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { time } from '../terminal/time.ts'
import { addLogOptions, findLog, type OfLog } from './log-argument.ts'

interface ExportOptions extends OfLog {
  readonly since?: string
  readonly until?: string
  readonly output?: string
}

const exportNotes = `
The file has every event as it was sealed, with what names persons, and the signed batch after its events. Whole batches
are exported, so the file can be verified alone: tenantry events verify --export <file> --checkpoints <file>`

const checkpointNotes = `
The file has the public keys, then every signed batch, newest first. Store it where the operators of the server cannot
change it: an export that is verified with it later is of the log as it was now, and trusts these keys. It holds no
events and no personal data.`

/** `tenantry events export` and `tenantry events checkpoints`. */
export function addEventFileCommands(events: Command, terminal: Terminal): void {
  addLogOptions(events.command('export'))
    .description('export sealed events as NDJSON, oldest first')
    .option('--since <time>', 'from the first batch sealed at this time or later', time)
    .option('--until <time>', 'to the last batch sealed before this time', time)
    .option('--output <file>', 'write to this file, readable only by you (default: standard output)')
    .addHelpText('after', exportNotes)
    .action((options: ExportOptions, command: Command) => exportEvents(options, command, terminal))

  addLogOptions(events.command('checkpoints'))
    .description('save the signed batches and the public keys, to verify exports with')
    .option('--output <file>', 'write to this file (default: standard output)')
    .addHelpText('after', checkpointNotes)
    .action((options: ExportOptions, command: Command) => saveCheckpoints(options, command, terminal))
}

async function saveCheckpoints(
  { output, ...ofLog }: ExportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  const { url, json } = globalOptions(command)
  const admin = connect(url, terminal)
  const tenantId = await findLog(ofLog, admin, terminal)
  let checkpoints = 0
  async function* texts() {
    for await (const line of checkpointLines(admin, tenantId)) {
      if ('done' in line) checkpoints = line.done.checkpoints
      yield `${JSON.stringify(line)}\n`
    }
  }
  if (output === undefined) {
    for await (const text of texts()) terminal.write(text)
    return
  }
  await writeWhole(output, texts(), terminal)
  terminal.write(json ? asJson({ checkpoints }) : `Saved ${checkpoints} checkpoint(s) to ${output}\n`)
}

async function* checkpointLines(admin: TenantryAdmin, tenantId: string | null): AsyncGenerator<CheckpointLine, void> {
  const { keys } = await admin.getCheckpointKeys()
  yield { keys }
  let checkpoints = 0
  for await (const checkpoint of listCheckpoints(admin, tenantId)) {
    checkpoints++
    yield { checkpoint }
  }
  yield { done: { checkpoints } }
}

/** Every batch of a log, newest first. */
export async function* listCheckpoints(
  admin: TenantryAdmin,
  tenantId: string | null,
): AsyncGenerator<Checkpoint, void> {
  let cursor: string | null = null
  do {
    const query: { limit: string; cursor?: string } = { limit: '200', ...(cursor !== null && { cursor }) }
    const page =
      tenantId === null
        ? await admin.listDeploymentCheckpoints(query)
        : await admin.listCheckpoints({ tenantId }, query)
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}

async function exportEvents(
  { since, until, output, ...ofLog }: ExportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  const { url, json } = globalOptions(command)
  const admin = connect(url, terminal)
  const tenantId = await findLog(ofLog, admin, terminal)
  const query = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
  const lines = tenantId === null ? admin.exportDeploymentEvents(query) : admin.exportEvents({ tenantId }, query)
  const progress = await startProgress('exporting', { unit: 'events', total: 0 }, terminal)
  const counts = { events: 0, batches: 0 }
  async function* texts() {
    for await (const line of lines as AsyncIterable<EventLine>) {
      if ('batch' in line) counts.batches++
      else if (!('done' in line)) progress.update(++counts.events)
      yield `${JSON.stringify(line)}\n`
    }
  }
  try {
    if (output !== undefined) await writeWhole(output, texts(), terminal)
    else for await (const text of texts()) terminal.write(text)
  } finally {
    progress.stop()
  }
  const summary = `Exported ${counts.events} event(s) in ${counts.batches} batch(es)`
  if (output === undefined) terminal.warn(`${summary}.\n`)
  else terminal.write(json ? asJson(counts) : `${summary} to ${output}\n`)
}
