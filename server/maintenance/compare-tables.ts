import { createHash } from 'node:crypto'
import { untilAborted, type WatchTable, watchRows } from './progress.ts'
import type { Table, TableDatabase } from './tables.ts'

/** The number and checksum of all rows of a table. */
interface TableDigest {
  readonly rows: number
  /** Hexadecimal SHA-256 of all rows as JSON lines, ordered by key. */
  readonly checksum: string
}

/** A table on both sides. */
export interface TableComparison {
  readonly table: string
  readonly source: TableDigest
  readonly target: TableDigest
}

interface Comparison {
  /** Receives the progress of the source. */
  readonly watch: WatchTable
  readonly signal?: AbortSignal
}

async function digestTable(
  database: TableDatabase,
  table: Table,
  { watch, signal }: Partial<Comparison>,
): Promise<TableDigest> {
  const hash = createHash('sha256')
  let rows = 0
  const read = untilAborted(database.rows(table), signal)
  const watched = watch && { table: table.name, total: await database.count(table), watch }
  for await (const batch of watched ? watchRows(read, watched) : read) {
    rows += batch.length
    hash.update(batch.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  return { rows, checksum: hash.digest('hex') }
}

/** The digest of a database: SHA-256 of the checksums of its tables. */
export async function digestDatabase(
  database: TableDatabase,
  tables: readonly Table[],
  watch: WatchTable,
): Promise<string> {
  const checksums: string[] = []
  for (const table of tables) checksums.push((await digestTable(database, table, { watch })).checksum)
  return digestOf(checksums)
}

/** The digest of a database from known checksums. */
export const digestOf = (checksums: readonly string[]): string =>
  createHash('sha256').update(checksums.join('\n')).digest('hex')

/** Reads both sides completely and independently. */
export async function compareTables(
  source: TableDatabase,
  target: TableDatabase,
  tables: readonly Table[],
  { watch, signal }: Comparison,
): Promise<TableComparison[]> {
  const comparisons: TableComparison[] = []
  for (const table of tables) {
    const [ours, theirs] = await Promise.all([
      digestTable(source, table, { watch, signal }),
      digestTable(target, table, { signal }),
    ])
    comparisons.push({ table: table.name, source: ours, target: theirs })
  }
  return comparisons
}

export const isSame = ({ source, target }: TableComparison): boolean => source.checksum === target.checksum

/** The description of a difference. */
export function describeDifference({ table, source, target }: TableComparison): string {
  if (source.rows !== target.rows) return `${table}: ${source.rows} rows in the source, ${target.rows} in the target`
  return `${table}: ${source.rows} rows on both sides, with different content`
}
