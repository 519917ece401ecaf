import type { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { addDatabaseOption, type DatabaseOption, show } from './database-options.ts'

/** `tenantry migrate` */
export function addMigrateCommand(program: Command, terminal: Terminal): void {
  addDatabaseOption(
    program
      .command('migrate')
      .description('migrate the database to the current schema; servers can keep running')
      .addHelpText('after', '\nExample:\n  tenantry migrate --database postgres://tenantry@db.example.com/tenantry'),
  ).action(async ({ database }: DatabaseOption, command: Command) => {
    const { readPlace } = await import('../../server/maintenance/place.ts')
    const { bringUpToDate } = await import('../../server/maintenance/schema.ts')
    const change = await bringUpToDate(readPlace(terminal, { option: '--database', url: database }))
    const { from, to, applied } = change
    const said =
      applied.length === 0
        ? `${change.database} is up to date at ${to}.`
        : `Migrated ${change.database} from ${from ?? 'an empty database'} to ${to}: ${applied.join(', ')}.`
    show(command, terminal, change, said)
  })
}
