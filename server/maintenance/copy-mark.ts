import { digestDatabase } from './compare-tables.ts'
import { rowsMissingFrom } from './merge-rows.ts'
import type { Table, TableDatabase } from './tables.ts'

/** What a copy leaves in its target: which source it was of, and, once all rows are there, their digest. */
interface CopyMark {
  readonly source: string
  readonly digest: string | null
}

const makeMark = 'CREATE TABLE IF NOT EXISTS schema_copy (source TEXT NOT NULL, digest TEXT)'

/** Which deployment a database is of: the moment of its first migration, which backups keep. */
const sourceOf = async (database: TableDatabase): Promise<string> => String((await database.migrations())[0]?.at)

async function readMark(target: TableDatabase): Promise<CopyMark | null> {
  await target.execute(makeMark)
  const [mark] = await target.execute('SELECT source, digest FROM schema_copy')
  return (mark as CopyMark | undefined) ?? null
}

/** Sets the mark; without a digest the copy is under way. */
export async function markCopy(source: TableDatabase, target: TableDatabase, digest: string | null): Promise<void> {
  await target.execute(makeMark)
  await target.execute('DELETE FROM schema_copy')
  const text = digest === null ? 'NULL' : `'${digest}'`
  await target.execute(`INSERT INTO schema_copy (source, digest) VALUES ('${await sourceOf(source)}', ${text})`)
}

/**
 * Refuses a target whose rows would be lost: one that has tenants which the source lacks and no copy of it brought, and
 * one that was written to since it was copied to, unless that may be overwritten.
 */
export async function requireReplaceable(
  source: TableDatabase,
  target: TableDatabase,
  tables: readonly Table[],
  mayOverwrite: boolean,
): Promise<void> {
  const mark = await readMark(target)
  if (mark?.source === (await sourceOf(source))) {
    if (mayOverwrite || mark.digest === null || mark.digest === (await digestDatabase(target, tables))) return
    throw new Error(
      'The target was written to since it was copied to: has a server run on it? What it has and the source lacks would be lost. With --overwrite it is.',
    )
  }
  const tenants = tables.find(({ name }) => name === 'tenants')!
  const ids: Table = { ...tenants, columns: tenants.columns.slice(0, tenants.keyLength) }
  for await (const [id] of rowsMissingFrom(source.rows(ids), target.rows(ids), ids)) {
    throw new Error(
      `The target has tenants that the source lacks, ${id} for one: name another target, or empty this one.`,
    )
  }
}
