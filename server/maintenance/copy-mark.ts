import { randomUUID } from 'node:crypto'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { incompleteCopy } from '../storage/migrate.ts'
import { digestDatabase } from './compare-tables.ts'
import { rowsMissingFrom } from './merge-rows.ts'
import type { WatchTable } from './progress.ts'
import type { Table, TableDatabase } from './tables.ts'
import { useSource } from './use-tables.ts'

/** A mark that a copy leaves in its target: the source and, once all rows are copied, their digest. */
interface CopyMark {
  readonly source: string
  readonly digest: string | null
}

const makeMark = 'CREATE TABLE IF NOT EXISTS schema_copy (source TEXT NOT NULL, digest TEXT)'

/** Identifies the deployment of a database: the time of its first migration, which backups keep. */
const deploymentOf = async (database: TableDatabase): Promise<string> => String((await database.migrations())[0]?.at)

async function marksIn(database: TableDatabase): Promise<readonly CopyMark[]> {
  if (!(await database.hasTable('schema_copy'))) return []
  return (await database.execute('SELECT source, digest FROM schema_copy')) as unknown as CopyMark[]
}

/** The mark in the target of a previous copy of the source. */
async function markOf(source: TableDatabase, target: TableDatabase): Promise<CopyMark | undefined> {
  const deployment = await deploymentOf(source)
  return (await marksIn(target)).find((mark) => mark.source === deployment)
}

/** Sets the mark; without a digest, the copy is incomplete, and no server starts on it. */
export async function markCopy(source: TableDatabase, target: TableDatabase, digest: string | null): Promise<void> {
  if (digest === null) {
    await letServersStart(target)
    await target.execute(`INSERT INTO schema_migrations (id, applied_at) VALUES ('${incompleteCopy}', 0)`)
  }
  await target.execute(makeMark)
  await target.execute('DELETE FROM schema_copy')
  const text = digest === null ? 'NULL' : `'${digest}'`
  await target.execute(`INSERT INTO schema_copy (source, digest) VALUES ('${await deploymentOf(source)}', ${text})`)
  if (digest !== null) await letServersStart(target)
}

/** Also lets migrations run. */
export async function letServersStart(target: TableDatabase): Promise<void> {
  if (await target.hasTable('schema_migrations'))
    await target.execute(`DELETE FROM schema_migrations WHERE id = '${incompleteCopy}'`)
}

/**
 * Rejects one database under two names, such as a link or another host name: rows that servers write during the copy would
 * seem to be missing in the source and would be deleted. Writes a random row to the target and looks for it in the source.
 */
export async function requireApart(from: DatabaseSettings, target: TableDatabase): Promise<void> {
  const trace = randomUUID()
  await target.execute(makeMark)
  await target.execute(`INSERT INTO schema_copy (source, digest) VALUES ('${trace}', NULL)`)
  try {
    // On a new connection, because the snapshot of the copy is older than the row.
    const marks = await useSource(from, marksIn)
    if (marks.some(({ source }) => source === trace)) throw new Error('Source and target are the same database.')
  } finally {
    await target.execute(`DELETE FROM schema_copy WHERE source = '${trace}'`)
  }
}

/**
 * Rejects a target whose rows would be lost: one with tenants that no copy of the source added, and one that has changed
 * since the last copy. The latter, and one whose tenants are all in the source, can be overwritten with --overwrite. Copying
 * back to an unchanged source is allowed, because nothing is lost.
 */
export async function requireReplaceable(
  source: TableDatabase,
  target: TableDatabase,
  tables: readonly Table[],
  { overwrite: mayOverwrite, watch }: { readonly overwrite: boolean; readonly watch: WatchTable },
): Promise<void> {
  const mark = await markOf(source, target)
  if (mark !== undefined) {
    if (mayOverwrite || mark.digest === null || mark.digest === (await digestDatabase(target, tables, watch))) return
    throw new Error(
      'The target has changed since the last copy; a server may have run on it. Its changes would be lost. Add --overwrite to discard them.',
    )
  }
  const tenants = tables.find(({ name }) => name === 'tenants')!
  const ids: Table = { ...tenants, columns: tenants.columns.slice(0, tenants.keyLength) }
  for await (const [id] of rowsMissingFrom(source.rows(ids), target.rows(ids), ids)) {
    throw new Error(
      `The target has tenants that the source lacks, such as ${id}. Choose another target, or empty this one.`,
    )
  }
  if (mayOverwrite || (await target.count(tenants)) === 0) return
  const back = await markOf(target, source)
  if (back !== undefined && back.digest === (await digestDatabase(target, tables, watch))) return
  throw new Error(
    'The target has tenants of the source but is not a copy of it; --from and --to may be swapped. Its changes would be lost. Add --overwrite to discard them.',
  )
}
