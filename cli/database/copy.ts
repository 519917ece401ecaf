import type { Command } from 'commander'
import type { TableComparison } from '../../server/maintenance/compare-tables.ts'
import { watchTables } from '../terminal/progress-bar.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'
import { show } from './database-options.ts'

interface CopyOptions {
  readonly from?: string
  readonly to: string
  readonly check?: true
  readonly overwrite?: true
}

const notes = `
The source is read in one snapshot and never changed. Writes made during the copy are not included: stop the servers
first, or stop them afterwards and copy again, which transfers only the changes.

Process lists show a password in the URL. Omit it, and set PGPASSWORD or use ~/.pgpass instead.

Example:
  tenantry copy --from sqlite:./data/tenantry.db --to postgres://tenantry@db.example.com/tenantry`

/** `tenantry copy` */
export function addCopyCommand(program: Command, terminal: Terminal): void {
  program
    .command('copy')
    .description('copy a deployment to another database and compare the two; can be repeated')
    .option('--from <url>', 'sqlite:<path> or postgres://… (default: DATABASE_URL)')
    .requiredOption('--to <url>', 'sqlite:<path> or postgres://…; rows that the source lacks are deleted')
    .option('--check', 'only compare; change nothing')
    .option('--overwrite', 'copy even if the target has changed since the last copy, or is not a copy of the source')
    .addHelpText('after', notes)
    .action((options: CopyOptions, command: Command) => copy(options, command, terminal))
}

async function copy({ from, to, check, overwrite }: CopyOptions, command: Command, terminal: Terminal): Promise<void> {
  const { readPlace } = await import('../../server/maintenance/place.ts')
  const { checkCopy, copyDatabase } = await import('../../server/maintenance/copy.ts')
  const { isSame } = await import('../../server/maintenance/compare-tables.ts')
  const progress = await watchTables(terminal)
  const places = {
    from: readPlace(terminal, { option: '--from', url: from }),
    to: readPlace(terminal, { option: '--to', url: to }),
    tell(line: string) {
      progress.stop()
      terminal.warn(`${line}\n`)
    },
    watch: progress.watch,
  }
  if (check) {
    const tables = await checkCopy(places).finally(progress.stop)
    await requireSame(tables.filter((table) => !isSame(table)))
    const rows = tables.reduce((sum, { source }) => sum + source.rows, 0)
    show(
      command,
      terminal,
      { tables: tables.length, rows },
      `Source and target are identical: ${tables.length} tables, ${rows} rows.`,
    )
    return
  }
  const { differences, ...report } = await copyDatabase({
    ...places,
    overwrite: overwrite ?? false,
    untilInterrupted: terminal.untilInterrupted,
  }).finally(progress.stop)
  await requireSame(differences)
  const { tables, rows, removed, added } = report
  const said = `Copied; source and target are identical: ${tables} tables, ${rows} rows (${added} added, ${removed} removed).`
  show(command, terminal, report, `${said}\nUse the same TENANTRY_MASTER_KEYS for servers on the target.`)
}

async function requireSame(differences: readonly TableComparison[]): Promise<void> {
  if (differences.length === 0) return
  const { describeDifference } = await import('../../server/maintenance/compare-tables.ts')
  throw new CommandFailure(['Source and target differ:', ...differences.map(describeDifference)].join('\n  '))
}
