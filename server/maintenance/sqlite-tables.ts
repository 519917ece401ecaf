import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from 'node:sqlite'
import { explainedFileError, explainingFileErrors } from '../storage/sqlite/database-file-error.ts'
import { faultOf } from '../storage/sqlite/sqlite-error.ts'
import type { SqlitePlace } from './place.ts'
import {
  batchSize,
  type ColumnRow,
  named,
  type Row,
  sizeOf,
  type Table,
  type TableDatabase,
  tablesOf,
} from './tables.ts'

/** How long to wait for a lock of another process. */
const lockTimeoutMs = 30_000

/** Keys that tables have on the other engine only: the rows of this one are in the order of their row ids. */
const otherKeys: Readonly<Record<string, readonly string[]>> = { event_queue: ['id', 'tenant_id'] }

const columns = `SELECT tables.name AS "table", columns.name AS "column", columns.type AS "type",
    NULLIF(columns.pk, 0) AS place
  FROM sqlite_schema tables JOIN pragma_table_info(tables.name) columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY tables.name`

/** Reads one snapshot of a source, in a read-only transaction. */
export async function useSqliteSource<T>(
  { path }: SqlitePlace,
  work: (database: TableDatabase) => Promise<T>,
): Promise<T> {
  using reader = explainingFileErrors(path, () => openSource(path))
  return await work(new SqliteTables(reader, reader))
}

/** Reads and writes a target. Foreign keys are checked at the end, because rows are inserted in key order. */
export async function useSqliteTarget<T>(
  { path }: SqlitePlace,
  work: (database: TableDatabase) => Promise<T>,
): Promise<T> {
  // Closed last, because a read-only connection leaves the log beside the file.
  using writer = explainingFileErrors(path, () => openTarget(path))
  using reader = new DatabaseSync(path, { readOnly: true, timeout: lockTimeoutMs })
  try {
    return await work(new SqliteTables(reader, writer))
  } catch (error) {
    // Only a write can need space, so this is not an error of the source.
    throw faultOf(error)?.kind === 'full' ? explainedFileError(path, error) : error
  }
}

/** The snapshot of the source is taken by the first read of the transaction. */
const openSource = (path: string): DatabaseSync =>
  opened(path, { readOnly: true }, 'BEGIN; SELECT * FROM sqlite_schema LIMIT 1')

const openTarget = (path: string): DatabaseSync =>
  opened(path, { enableForeignKeyConstraints: false }, 'PRAGMA synchronous = FULL; SELECT * FROM sqlite_schema LIMIT 1')

/** SQLite reads the file with the first statement, which fails where it is not a database. */
function opened(path: string, options: DatabaseSyncOptions, first: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: lockTimeoutMs, ...options })
  try {
    database.exec(first)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function withOtherKey(row: ColumnRow): ColumnRow {
  const place = otherKeys[row.table]?.indexOf(row.column) ?? -1
  return place === -1 ? row : { ...row, place: place + 1 }
}

/** The tables of a file, read on one connection and written on another. */
class SqliteTables implements TableDatabase {
  readonly #reader: DatabaseSync
  readonly #writer: DatabaseSync

  constructor(reader: DatabaseSync, writer: DatabaseSync) {
    this.#reader = reader
    this.#writer = writer
  }

  async tables(): Promise<Table[]> {
    return tablesOf((this.#reader.prepare(columns).all() as unknown as ColumnRow[]).map(withOtherKey))
  }

  async hasTable(name: string): Promise<boolean> {
    return this.#reader.prepare('SELECT name FROM sqlite_schema WHERE name = ?').get(name) !== undefined
  }

  async migrations(): Promise<{ id: string; at: number }[]> {
    if (!(await this.hasTable('schema_migrations'))) return []
    const rows = this.#reader.prepare('SELECT id, applied_at FROM schema_migrations ORDER BY id').all()
    return rows.map((row) => ({ id: String(row['id']), at: Number(row['applied_at']) }))
  }

  async *rows({ name, columns, keyLength }: Table): AsyncGenerator<readonly Row[]> {
    const statement = this.#reader.prepare(
      `SELECT ${named(columns)} FROM "${name}" ORDER BY ${named(columns.slice(0, keyLength))}`,
    )
    statement.setReturnArrays(true)
    let batch: Row[] = []
    let size = 0
    for (const row of statement.iterate() as Iterable<unknown> as Iterable<Row>) {
      batch.push(row)
      size += sizeOf(row)
      if (size < batchSize.characters && batch.length < batchSize.rows) continue
      yield batch
      batch = []
      size = 0
    }
    if (batch.length > 0) yield batch
  }

  async count({ name }: Table): Promise<number> {
    return Number(this.#reader.prepare(`SELECT COUNT(*) AS count FROM "${name}"`).get()?.['count'])
  }

  async remove({ name, columns, keyLength }: Table, rows: readonly Row[]): Promise<void> {
    const key = columns.slice(0, keyLength).map((column) => `"${column.name}" = ?`)
    const sql = `DELETE FROM "${name}" WHERE ${key.join(' AND ')}`
    this.#runForEach(
      sql,
      rows.map((row) => row.slice(0, keyLength)),
    )
  }

  async add({ name, columns }: Table, rows: readonly Row[]): Promise<void> {
    const values = columns.map(() => '?').join(', ')
    this.#runForEach(`INSERT INTO "${name}" (${named(columns)}) VALUES (${values})`, rows)
  }

  async execute(sql: string): Promise<Record<string, unknown>[]> {
    return this.#writer.prepare(sql).all()
  }

  async settle(): Promise<void> {
    const broken = this.#writer.prepare('PRAGMA foreign_key_check').get()
    if (broken) throw new Error(`A row of ${broken['table']} is of a tenant that is not there: the source is damaged.`)
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  #runForEach(sql: string, rows: readonly Row[]): void {
    const statement = this.#writer.prepare(sql)
    this.#writer.exec('BEGIN IMMEDIATE')
    try {
      for (const row of rows) statement.run(...(row as readonly SQLInputValue[]))
      this.#writer.exec('COMMIT')
    } catch (error) {
      if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK')
      throw error
    }
  }
}
