import type { Command } from 'commander'
import type { TableComparison } from '../server/maintenance/compare-tables.ts'
import { show } from './database-options.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

interface CopyOptions {
  readonly from?: string
  readonly to: string
  readonly check?: true
  readonly overwrite?: true
}

const notes = `
The source is read as it is at one moment, and never changed. What its servers write meanwhile is not copied: stop them
before, or copy a second time once they are stopped, which moves what has changed.

A password need not be in the address, where process lists show it: leave it out, and set PGPASSWORD or use ~/.pgpass.

Example:
  tenantry copy --from sqlite:./data/tenantry.db --to postgres://tenantry@db.example.com/tenantry`

/** `tenantry copy` */
export function addCopyCommand(program: Command, terminal: Terminal): void {
  program
    .command('copy')
    .description('copy a whole deployment into another database, and compare the two; can be repeated')
    .option('--from <url>', 'sqlite:<path> or postgres://… (default: DATABASE_URL, as the server reads it)')
    .requiredOption('--to <url>', 'sqlite:<path> or postgres://…; what it has and the source lacks goes')
    .option('--check', 'only compare them; nothing is changed')
    .option('--overwrite', 'even if the target was written to since it was copied to, or is no copy of the source')
    .addHelpText('after', notes)
    .action((options: CopyOptions, command: Command) => copy(options, command, terminal))
}

async function copy({ from, to, check, overwrite }: CopyOptions, command: Command, terminal: Terminal): Promise<void> {
  const { readPlace } = await import('../server/maintenance/place.ts')
  const { checkCopy, copyDatabase } = await import('../server/maintenance/copy.ts')
  const { isSame } = await import('../server/maintenance/compare-tables.ts')
  const tell = (line: string) => terminal.warn(`${line}\n`)
  const places = {
    from: readPlace(terminal, { option: '--from', url: from }),
    to: readPlace(terminal, { option: '--to', url: to }),
    tell,
  }
  if (check) {
    const tables = await checkCopy(places)
    await requireSame(tables.filter((table) => !isSame(table)))
    const rows = tables.reduce((sum, { source }) => sum + source.rows, 0)
    show(command, terminal, { tables: tables.length, rows }, `The same: ${tables.length} tables, ${rows} rows.`)
    return
  }
  const { differences, ...report } = await copyDatabase({ ...places, overwrite: overwrite ?? false })
  await requireSame(differences)
  const { tables, rows, removed, added } = report
  const said = `Copied, and the same on both sides: ${tables} tables, ${rows} rows (${added} added, ${removed} removed).`
  show(command, terminal, report, `${said}\nStart the servers on the target with the same TENANTRY_MASTER_KEYS.`)
}

async function requireSame(differences: readonly TableComparison[]): Promise<void> {
  if (differences.length === 0) return
  const { describeDifference } = await import('../server/maintenance/compare-tables.ts')
  throw new CommandFailure(['Source and target differ:', ...differences.map(describeDifference)].join('\n  '))
}
