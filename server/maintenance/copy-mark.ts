import { randomUUID } from 'node:crypto'
import type { DatabaseSettings } from '../settings/database-settings.ts'
import { digestDatabase } from './compare-tables.ts'
import { rowsMissingFrom } from './merge-rows.ts'
import type { Table, TableDatabase } from './tables.ts'
import { useSource } from './use-tables.ts'

/** What a copy leaves in its target: which source it was of, and, once all rows are there, their digest. */
interface CopyMark {
  readonly source: string
  readonly digest: string | null
}

const makeMark = 'CREATE TABLE IF NOT EXISTS schema_copy (source TEXT NOT NULL, digest TEXT)'

/** Which deployment a database is of: the moment of its first migration, which backups keep. */
const deploymentOf = async (database: TableDatabase): Promise<string> => String((await database.migrations())[0]?.at)

async function marksIn(database: TableDatabase): Promise<readonly CopyMark[]> {
  if (!(await database.hasTable('schema_copy'))) return []
  return (await database.execute('SELECT source, digest FROM schema_copy')) as unknown as CopyMark[]
}

/** What a copy of the one left in the other, if there was one. */
async function markOf(source: TableDatabase, target: TableDatabase): Promise<CopyMark | undefined> {
  const deployment = await deploymentOf(source)
  return (await marksIn(target)).find((mark) => mark.source === deployment)
}

/** Sets the mark; without a digest the copy is under way. */
export async function markCopy(source: TableDatabase, target: TableDatabase, digest: string | null): Promise<void> {
  await target.execute(makeMark)
  await target.execute('DELETE FROM schema_copy')
  const text = digest === null ? 'NULL' : `'${digest}'`
  await target.execute(`INSERT INTO schema_copy (source, digest) VALUES ('${await deploymentOf(source)}', ${text})`)
}

/**
 * Refuses one database under two names, a link or another address: what servers write to it meanwhile would be taken for
 * what the source has no more, and removed. A trace is left in the target, and looked for in the source.
 */
export async function requireApart(from: DatabaseSettings, target: TableDatabase): Promise<void> {
  const trace = randomUUID()
  await target.execute(makeMark)
  await target.execute(`INSERT INTO schema_copy (source, digest) VALUES ('${trace}', NULL)`)
  try {
    // Opened anew: the snapshot that is copied is older than the trace.
    const marks = await useSource(from, marksIn)
    if (marks.some(({ source }) => source === trace)) throw new Error('Source and target are the same database.')
  } finally {
    await target.execute(`DELETE FROM schema_copy WHERE source = '${trace}'`)
  }
}

/**
 * Refuses a target whose rows would be lost: one that has tenants which no copy of the source brought, and one that was
 * written to since it was copied to; the latter, and one whose tenants the source has too, may be overwritten if that is
 * said. Going back is none: a target that is still what the source was copied from loses nothing.
 */
export async function requireReplaceable(
  source: TableDatabase,
  target: TableDatabase,
  tables: readonly Table[],
  mayOverwrite: boolean,
): Promise<void> {
  const mark = await markOf(source, target)
  if (mark !== undefined) {
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
  if (mayOverwrite || (await target.count(tenants)) === 0) return
  const back = await markOf(target, source)
  if (back !== undefined && back.digest === (await digestDatabase(target, tables))) return
  throw new Error(
    'The target has tenants of the source already, and is no copy of it: are the two the wrong way round? What it has and the source lacks would be lost. With --overwrite it is.',
  )
}
