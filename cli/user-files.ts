import type { Command } from 'commander'
import type { ExportedUser, ImportLine } from '../contract/user-lines.ts'
import { TenantryError } from '../packages/client/src/index.ts'
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

/** `tenantry user import` and `tenantry user export`: NDJSON files with one user per line. */
export function addUserFileCommands(user: Command, terminal: Terminal): void {
  user
    .command('import')
    .description('import users from an NDJSON file with one user per line')
    .argument('<file>', 'path of the file; - for standard input')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--errors <file>', 'write failed rows to this file as NDJSON (default: as text to standard error)')
    .action((path: string, options: ImportOptions, command: Command) => importUsers(path, options, command, terminal))

  user
    .command('export')
    .description('export all users as NDJSON in the format of an import')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--password-hashes', 'include password hashes; protect the file like the database')
    .option('--output <file>', 'write to this file, readable only by you (default: standard output)')
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
  const reportError = (error: RowError) =>
    file === undefined ? terminal.warn(`${inWords(error)}\n`) : file.write(`${JSON.stringify(error)}\n`)
  let counts: Counts | undefined
  try {
    for await (const line of admin.importUsers({ tenantId }, lines)) {
      if ('error' in line) await reportError(line.error)
      else if ('progress' in line) terminal.warn(`${line.progress.read} read, ${line.progress.failed} failed\n`)
      else counts = line.done
    }
  } catch (error) {
    const isRefusedAtOnce = error instanceof TenantryError && (error.status === 401 || error.status === 404)
    throw isRefusedAtOnce ? error : new CommandFailure(`${explain(error)}\n${notWhole}`)
  } finally {
    await file?.close()
  }
  if (counts === undefined) throw new CommandFailure(`The response ended early.\n${notWhole}`)
  terminal.write(json ? asJson(counts) : `Imported ${counts.imported} of ${counts.read} user(s).\n`)
  if (counts.failed > 0) {
    throw new CommandFailure(`${counts.failed} row(s) failed: ${errors === undefined ? 'see above' : `see ${errors}`}.`)
  }
}

const notWhole =
  'Rows up to this point may have been stored. Import the same file again: stored rows fail as duplicates, all others are imported.'

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
