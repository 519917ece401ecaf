import type { Command } from 'commander'
import { TenantryError } from '../client/client.ts'
import type { ExportedUser, ImportLine } from '../contract/user-lines.ts'
import { asJson } from './answer.ts'
import { connect } from './connection.ts'
import { explain } from './explain.ts'
import { openFile } from './input.ts'
import { shown } from './layout.ts'
import { openPrivately, writeWhole } from './private-file.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

interface ImportOptions {
  readonly tenant: string
  readonly errors?: string
}

interface ExportOptions {
  readonly tenant: string
  readonly passwordHashes?: true
  readonly output?: string
}

/** `tenantry user import` and `tenantry user export`: files of lines (NDJSON), one user each. */
export function addUserFileCommands(user: Command, terminal: Terminal): void {
  user
    .command('import')
    .description('import users from a file of lines (NDJSON), one user each')
    .argument('<file>', 'its path; - is standard input')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option(
      '--errors <file>',
      'where rows that fail are told, a line of JSON each (default: in words, on standard error)',
    )
    .action((path: string, options: ImportOptions, command: Command) => importUsers(path, options, command, terminal))

  user
    .command('export')
    .description('export all users as lines (NDJSON), as an import takes them')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--password-hashes', 'with the password hashes: keep the file as safe as the database itself')
    .option('--output <file>', 'where to; it is for your eyes alone (default: standard output)')
    .action((options: ExportOptions, command: Command) => exportUsers(options, command, terminal))
}

type RowError = Extract<ImportLine, { error: object }>['error']
type Counts = Extract<ImportLine, { done: object }>['done']

async function importUsers(
  path: string,
  { tenant: tenantId, errors }: ImportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  const { url, json } = command.optsWithGlobals<{ url?: string; json?: true }>()
  const admin = connect(url, terminal)
  const lines = await openFile(path, terminal)
  const file = errors === undefined ? undefined : await openPrivately(errors, terminal)
  const tellError = (error: RowError) =>
    file === undefined ? terminal.warn(`${inWords(error)}\n`) : file.write(`${JSON.stringify(error)}\n`)
  let counts: Counts | undefined
  try {
    for await (const line of admin.importUsers({ tenantId }, lines)) {
      if ('error' in line) await tellError(line.error)
      else if ('progress' in line) terminal.warn(`${line.progress.read} read, ${line.progress.failed} failed\n`)
      else counts = line.done
    }
  } catch (error) {
    const isRefusedAtOnce = error instanceof TenantryError && (error.status === 401 || error.status === 404)
    throw isRefusedAtOnce ? error : new CommandFailure(`${explain(error)}\n${notWhole}`)
  } finally {
    await file?.close()
  }
  if (counts === undefined) throw new CommandFailure(`The answer ended before it was whole.\n${notWhole}`)
  terminal.write(json ? asJson(counts) : `Imported ${counts.imported} of ${counts.read} user(s).\n`)
  if (counts.failed > 0) {
    throw new CommandFailure(`${counts.failed} row(s) failed: ${errors === undefined ? 'see above' : `see ${errors}`}.`)
  }
}

const notWhole =
  'Rows before that may be stored, and stay. Import the same file again: those fail as known, and the rest is imported.'

/** `line 7: email: Invalid email` */
function inWords({ line, code, message, validation }: RowError): string {
  const fields = Object.entries(validation ?? {}).map(([field, problem]) => `${shown(field)}: ${shown(problem)}`)
  return `line ${line}: ${fields.length > 0 ? fields.join('; ') : `${message} (${code})`}`
}

async function exportUsers(
  { tenant: tenantId, passwordHashes, output }: ExportOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  const { url, json } = command.optsWithGlobals<{ url?: string; json?: true }>()
  const query = passwordHashes ? ({ passwordHashes: 'true' } as const) : {}
  const users = wholeExport(connect(url, terminal).exportUsers({ tenantId }, query))
  let exported = 0
  async function* texts() {
    for await (const user of users) {
      exported++
      yield `${JSON.stringify(user)}\n`
    }
  }
  if (output === undefined) {
    for await (const text of texts()) terminal.write(text)
    terminal.warn(`Exported ${exported} user(s).\n`)
    return
  }
  await writeWhole(output, texts(), terminal)
  terminal.write(json ? asJson({ exported }) : `Exported ${exported} user(s) to ${output}\n`)
}

type ExportLine = ExportedUser | { readonly done: { readonly exported: number } }

/**
 * The users of an export, without the line that says it is whole.
 * @throws CommandFailure when that line is missing, or tells of another number
 */
async function* wholeExport(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportedUser, void> {
  let count = 0
  let told: number | undefined
  for await (const line of lines) {
    if ('done' in line) told = line.done.exported
    else {
      count++
      yield line
    }
  }
  if (told !== count) throw new CommandFailure(`The export is not whole: ${count} user(s) came, then the answer ended.`)
}
