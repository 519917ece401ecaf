import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { SqlitePlace } from '../server/maintenance/place.ts'
import { addDatabaseOption, type DatabaseOption, show } from './database-options.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

const example = `
Without the master keys (TENANTRY_MASTER_KEYS, or secrets.json beside the database) no server starts on a backup: keep
them as well, elsewhere.

Example:
  tenantry backup /backups/tenantry-$(date +%F).db`

const restoreExample = `
Stop every server on the database before. The database that is there is kept beside, under a name of its own.

Example:
  tenantry restore /backups/tenantry-2027-01-31.db`

/** `tenantry backup` and `tenantry restore` */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  addDatabaseOption(
    program
      .command('backup')
      .description('back up a SQLite database while servers run on it')
      .argument('<file>', 'where to; a file that is there is never written over')
      .addHelpText('after', example),
  ).action(async (file: string, { database }: DatabaseOption, command: Command) => {
    const { backUp } = await import('../server/maintenance/backup.ts')
    const { requireExisting } = await import('../server/maintenance/place.ts')
    const place = await requireSqlite(database, terminal, 'pg_dump')
    requireExisting(place)
    const report = backUp(place, resolve(terminal.folder, file))
    const keys = report.masterKeys.join(', ')
    const said = `${report.file}: ${report.bytes} bytes, checked, at ${report.schema}.`
    show(
      command,
      terminal,
      report,
      keys ? `${said}\nServers on it need the master key ${keys}: keep it too, elsewhere.` : said,
    )
  })

  addDatabaseOption(
    program
      .command('restore')
      .description('put a backup in the place of a SQLite database')
      .argument('<file>', 'the backup')
      .addHelpText('after', restoreExample),
  ).action(async (file: string, { database }: DatabaseOption, command: Command) => {
    const { restore } = await import('../server/maintenance/restore.ts')
    const place = await requireSqlite(database, terminal, 'pg_restore')
    const report = restore(place, resolve(terminal.folder, file), Date.now())
    const said = [
      `${report.database} is the backup now, at ${report.schema}.`,
      report.kept === null ? 'There was none before.' : `What was there before: ${report.kept}`,
      ...(report.masterKeys.length > 0 ? [`Servers need the master key ${report.masterKeys.join(', ')}.`] : []),
    ]
    show(command, terminal, report, said.join('\n'))
  })
}

async function requireSqlite(
  url: string | undefined,
  terminal: Terminal,
  instead: keyof typeof postgresCommands,
): Promise<SqlitePlace> {
  const { describePlace, readPlace } = await import('../server/maintenance/place.ts')
  const place = readPlace(terminal, { option: '--database', url })
  if (place.engine === 'sqlite') return place
  // Its parameters name files and a mode, no secret.
  const parameters = /\?.+$/.exec(place.url)?.[0] ?? ''
  const database = parameters === '' ? describePlace(place) : `'${describePlace(place)}${parameters}'`
  throw new CommandFailure(
    `PostgreSQL has its own tool for this:\n  ${postgresCommands[instead](database)}\ndocs/guides/backup-and-restore.md says more.`,
  )
}

/** Row-level security is forced, and the owner sees all rows through it. */
const postgresCommands = {
  pg_dump: (database: string) => `pg_dump --enable-row-security --format=custom --file=tenantry.dump ${database}`,
  pg_restore: (database: string) =>
    `pg_restore --exit-on-error --single-transaction --dbname=${database} tenantry.dump`,
} as const
