import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { SqlitePlace } from '../../server/maintenance/place.ts'
import { startProgress } from '../terminal/progress-bar.ts'
import { quoted } from '../terminal/quoted.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'
import { addDatabaseOption, type DatabaseOption, show } from './database-options.ts'

const example = `
A backup is of use only with the master keys (TENANTRY_MASTER_KEYS, or secrets.json beside the database). Store them too,
in another place.

Example:
  tenantry backup /backups/tenantry-$(date +%F).db`

const restoreExample = `
Stop every server on the database first. The current database is renamed and kept beside the restored one.

Example:
  tenantry restore /backups/tenantry-2027-01-31.db`

/** `tenantry backup` and `tenantry restore` */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  addDatabaseOption(
    program
      .command('backup')
      .description('back up a SQLite database; servers can keep running')
      .argument('<file>', 'path of the backup; an existing file is never overwritten')
      .addHelpText('after', example),
  ).action(async (file: string, { database }: DatabaseOption, command: Command) => {
    const { backUp } = await import('../../server/maintenance/backup.ts')
    const { requireExisting } = await import('../../server/maintenance/place.ts')
    const place = await requireSqlite(database, terminal, 'pg_dump')
    requireExisting(place)
    const progress = await startProgress('copying', { unit: 'bytes', total: 1 }, terminal)
    const { untilInterrupted } = terminal
    const watch = { watch: progress.update, untilInterrupted }
    const report = await backUp(place, resolve(terminal.folder, file), watch).finally(progress.stop)
    const keys = report.masterKeys.join(', ')
    const said = `Created ${report.file}: ${report.bytes} bytes, integrity checked, schema ${report.schema}.`
    show(
      command,
      terminal,
      report,
      keys ? `${said}\nRestoring it requires the master key ${keys}; store it too, in another place.` : said,
    )
  })

  addDatabaseOption(
    program
      .command('restore')
      .description('replace a SQLite database by a backup')
      .argument('<file>', 'path of the backup')
      .addHelpText('after', restoreExample),
  ).action(async (file: string, { database }: DatabaseOption, command: Command) => {
    const { restore } = await import('../../server/maintenance/restore.ts')
    const { findMasterKeys } = await import('../../server/maintenance/master-keys.ts')
    const place = await requireSqlite(database, terminal, 'pg_restore')
    const report = await restore(place, resolve(terminal.folder, file), {
      masterKeys: findMasterKeys(terminal, place)?.text ?? null,
      now: Date.now(),
      untilInterrupted: terminal.untilInterrupted,
    })
    const said = [
      `Restored the backup to ${report.database}, schema ${report.schema}.`,
      describeKept(report),
      ...(report.masterKeys.length > 0 ? [`Servers require the master key ${report.masterKeys.join(', ')}.`] : []),
    ]
    show(command, terminal, report, said.join('\n'))
  })
}

function describeKept({ kept, keptLog }: { kept: string | null; keptLog: string | null }): string {
  if (kept !== null) return `The previous database is kept as ${kept}`
  return keptLog === null
    ? 'There was no database before.'
    : `There was no database before, only its log (-wal), which is kept as ${keptLog}`
}

async function requireSqlite(
  url: string | undefined,
  terminal: Terminal,
  instead: keyof typeof postgresCommands,
): Promise<SqlitePlace> {
  const { readPlace } = await import('../../server/maintenance/place.ts')
  const place = readPlace(terminal, { option: '--database', url })
  if (place.engine === 'sqlite') return place
  // As given, because libpq reads it too. The parameters contain file names and modes, never a secret.
  const database = quoted(place.url.replace(/^(postgres(?:ql)?:\/\/[^:@/]*):[^@/]*@/, '$1@'))
  throw new CommandFailure(
    `This command supports SQLite only. For PostgreSQL, use its own tool:\n  ${postgresCommands[instead](database)}\nSee docs/guides/backup-and-restore.md.`,
  )
}

/** Row-level security is forced; its policies allow the owner all rows. */
const postgresCommands = {
  pg_dump: (database: string) => `pg_dump --enable-row-security --format=custom --file=tenantry.dump ${database}`,
  pg_restore: (database: string) =>
    `pg_restore --exit-on-error --single-transaction --dbname=${database} tenantry.dump`,
} as const
