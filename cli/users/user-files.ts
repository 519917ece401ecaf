import type { Command } from 'commander'
import type { ExportedUser, ImportLine } from '../../contract/admin/user-lines.ts'
import { fieldsInWords } from '../../contract/fields/rule-in-words.ts'
import { TenantryError } from '../../packages/client/src/admin.ts'
import { endWhenInterrupted } from '../../server/core/end-when-interrupted.ts'
import { asJson } from '../answer.ts'
import { connect } from '../connection.ts'
import { globalOptions } from '../global-options.ts'
import { findTenantId, type OfTenant, tenantNamed, tenantOption } from '../tenant-argument.ts'
import { explain } from '../terminal/explain.ts'
import { openFile } from '../terminal/input.ts'
import { shown } from '../terminal/layout.ts'
import { openPrivately, requireDifferentFiles, unwritable, writeWhole } from '../terminal/private-file.ts'
import { type Progress, startProgress } from '../terminal/progress-bar.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'

interface ImportOptions extends OfTenant {
  readonly errors?: string
  readonly dryRun?: true
}

interface ExportOptions extends OfTenant {
  readonly passwordHashes?: true
  readonly sensitive?: true
  readonly output?: string
}

/** `tenantry user import` and `tenantry user export`: NDJSON files with one user per line. */
export function addUserFileCommands(user: Command, terminal: Terminal): void {
  user
    .command('import')
    .description('import users from an NDJSON file with one user per line')
    .argument('<file>', 'path of the file; - for standard input')
    .option(...tenantOption)
    .option('--dry-run', 'report what an import would do with each row; store nothing')
    .option('--errors <file>', 'write failed rows to this file as NDJSON (default: as text to standard error)')
    .action((path: string, options: ImportOptions, command: Command) => importUsers(path, options, command, terminal))

  user
    .command('export')
    .description('export all users as NDJSON in the format of an import')
    .option(...tenantOption)
    .option('--password-hashes', 'include password hashes; protect the file like the database')
    .option('--sensitive', 'include values of sensitive profile fields (default: null)')
    .option('--output <file>', 'write to this file, readable only by you (default: standard output)')
    .action((options: ExportOptions, command: Command) => exportUsers(options, command, terminal))
}

type RowError = Extract<ImportLine, { error: object }>['error']
type Counts = Extract<ImportLine, { done: object }>['done']

async function importUsers(
  path: string,
  { tenant, errors, dryRun }: ImportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  if (errors !== undefined && path !== '-') await requireDifferentFiles(path, errors, terminal)
  const { admin, tenantId, json } = await connectToTenant(tenant, command, terminal)
  const { chunks, bytes } = await openFile(path, terminal)
  const file = errors === undefined ? undefined : await openPrivately(errors, terminal)
  const progress = await startProgress(dryRun ? 'checking' : 'importing', { unit: 'bytes', total: bytes }, terminal)
  if (!dryRun) {
    endWhenInterrupted(terminal.untilInterrupted(), [], () => {
      progress.stop()
      terminal.warn(`Interrupted.\n${notWhole}\n`)
    })
  }
  /** Rows that are not JSON objects. */
  let unreadable = 0
  const reportError = (error: RowError) => {
    if (error.validation?.['body'] !== undefined) unreadable++
    if (file === undefined) return progress.note(inWords(error))
    return file.write(`${JSON.stringify(error)}\n`).catch((reason) => {
      throw unwritable(errors!, reason)
    })
  }
  let counts: Counts = { read: 0, imported: 0, failed: 0 }
  try {
    const query = dryRun ? ({ dryRun: 'true' } as const) : {}
    for await (const line of admin.importUsers({ tenantId }, counted(chunks, progress), query)) {
      if ('error' in line) await reportError(line.error)
      else if ('done' in line) counts = line.done
    }
  } catch (error) {
    const isRefusedAtOnce = error instanceof TenantryError && [401, 403, 404].includes(error.status)
    throw isRefusedAtOnce || dryRun ? error : new CommandFailure(`${explain(error)}\n${notWhole}`)
  } finally {
    progress.stop()
    await file?.close()
  }
  terminal.write(json ? asJson(counts) : `${summary(counts, dryRun)}\n`)
  if (counts.failed > 0) {
    const what = dryRun ? 'would fail' : 'failed'
    throw new CommandFailure(
      `${counts.failed} row(s) ${what}: ${errors === undefined ? 'see above' : `see ${errors}`}.${unreadable === counts.read ? `\n${notLines}` : ''}`,
    )
  }
}

const summary = ({ read, imported, failed }: Counts, dryRun?: true): string =>
  dryRun
    ? `Would create ${imported} user(s), update 0 and refuse ${failed} of ${read} row(s); nothing was stored.`
    : `Imported ${imported} of ${read} user(s).`

async function* counted(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array, void> {
  let done = 0
  for await (const chunk of chunks) {
    yield chunk
    done += chunk.length
    progress.update(done)
  }
}

const notWhole =
  'Rows up to this point may have been stored. Import the same file again: stored rows fail as duplicates, all others are imported.'

const notLines =
  'The file must be NDJSON in UTF-8: each line is one user as a JSON object, such as {"email": "ada@example.com"}.'

/** `line 7: email: Invalid email` */
function inWords(error: RowError): string {
  const { line, code, message } = error
  const fields = fieldsInWords(error).map(shown)
  return `line ${line}: ${fields.length > 0 ? fields.join('; ') : `${message} (${code})`}`
}

async function exportUsers(
  { tenant, passwordHashes, sensitive, output }: ExportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  const { admin, tenantId, json } = await connectToTenant(tenant, command, terminal)
  const query = {
    ...(passwordHashes && ({ passwordHashes: 'true' } as const)),
    ...(sensitive && ({ sensitive: 'true' } as const)),
  }
  const users = wholeExport(admin.exportUsers({ tenantId }, query))
  const progress = await startProgress('exporting', { unit: 'users', total: 0 }, terminal)
  let exported = 0
  async function* texts() {
    for await (const user of users) {
      progress.update(++exported)
      yield `${JSON.stringify(user)}\n`
    }
  }
  try {
    if (output !== undefined) await writeWhole(output, texts(), terminal)
    else for await (const text of texts()) terminal.write(text)
  } finally {
    progress.stop()
  }
  if (output === undefined) terminal.warn(`Exported ${exported} user(s).\n`)
  else terminal.write(json ? asJson({ exported }) : `Exported ${exported} user(s) to ${output}\n`)
}

async function connectToTenant(tenant: string | undefined, command: Command, terminal: Terminal) {
  const { url, json } = globalOptions(command)
  const named = tenantNamed(tenant, command, terminal)
  const admin = connect(url, terminal)
  return { admin, tenantId: await findTenantId(named, admin), json }
}

type ExportLine = ExportedUser | { readonly done: { readonly exported: number } }

/**
 * The users of an export, without the final line.
 * @throws CommandFailure if the final line is missing or has a different count
 */
async function* wholeExport(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportedUser, void> {
  let count = 0
  let expected: number | undefined
  for await (const line of lines) {
    if ('done' in line) expected = line.done.exported
    else {
      count++
      yield line
    }
  }
  if (expected !== count)
    throw new CommandFailure(`The export is incomplete: the response ended after ${count} user(s).`)
}
