import type { PostgresConnection } from '../storage/postgres/driver/connection.ts'
import { ConnectionPool, DatabaseBusy } from '../storage/postgres/driver/connection-pool.ts'
import { openingTimeoutMs } from '../storage/postgres/driver/opening-timeout.ts'
import { parsePostgresUrl } from '../storage/postgres/driver/postgres-url.ts'
import { postgresEngines } from '../storage/postgres/postgres-engines.ts'
import { refuseHiddenRows } from '../storage/postgres/row-level-security.ts'
import { describePlace, type PostgresPlace } from './place.ts'
import {
  batchSize,
  type Column,
  type ColumnRow,
  named,
  type Row,
  sizeOf,
  type Table,
  type TableDatabase,
  tablesOf,
} from './tables.ts'

const columns = `SELECT tables.relname AS "table", columns.attname AS "column",
    format_type(columns.atttypid, columns.atttypmod) AS "type",
    array_position(keys.indkey::int2[], columns.attnum) AS place
  FROM pg_class tables
    JOIN pg_attribute columns ON columns.attrelid = tables.oid AND columns.attnum > 0 AND NOT columns.attisdropped
    LEFT JOIN pg_index keys ON keys.indrelid = tables.oid AND keys.indisprimary
  WHERE tables.relkind = 'r' AND tables.relnamespace = current_schema()::regnamespace ORDER BY tables.relname`

/** Sorting all rows takes long, and a cursor is idle while the other side writes. */
const responseTimeoutMs = 60_000

/** Reads one snapshot of a source, in a read-only transaction. */
export const usePostgresSource = <T>(place: PostgresPlace, work: (database: TableDatabase) => Promise<T>): Promise<T> =>
  useConnections(place, 1, async (connection) => {
    await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    try {
      return await work(new PostgresTables(connection, connection, true))
    } finally {
      if (!connection.broken) await connection.execute('ROLLBACK')
    }
  })

/** Reads and writes a target. */
export const usePostgresTarget = <T>(place: PostgresPlace, work: (database: TableDatabase) => Promise<T>): Promise<T> =>
  useConnections(place, 2, (reader, writer) => work(new PostgresTables(reader, writer, false)))

/** A pool of one or two connections to the host that accepts writes. */
async function useConnections<T>(
  place: PostgresPlace,
  size: 1 | 2,
  work: (first: PostgresConnection, second: PostgresConnection) => Promise<T>,
): Promise<T> {
  const { url, passwordFile, postgresEngine, rowLevelSecurity } = place
  const engine = postgresEngines[postgresEngine]
  const address = parsePostgresUrl(url, passwordFile)
  const options = { url: address, engine, hooks: {}, acquireTimeoutMs: openingTimeoutMs(address), responseTimeoutMs }
  const connections = new ConnectionPool({ ...options, size, maxWaiting: size })
  const use = (then: (connection: PostgresConnection) => Promise<T>): Promise<T> =>
    connections.use((connection) =>
      connection.withoutTimeouts(async () => {
        if (engine.sessionTimeouts) await connection.execute('SET idle_in_transaction_session_timeout = 0')
        if (rowLevelSecurity) await refuseHiddenRows(connection)
        try {
          return await then(connection)
        } catch (error) {
          throw connection.broken && !(error instanceof ConnectionLost) ? new ConnectionLost(place, error) : error
        }
      }),
    )
  try {
    return await use((first) => (size === 1 ? work(first, first) : use((second) => work(first, second))))
  } catch (error) {
    // The problem of the servers is more specific than the pool's error.
    throw error instanceof DatabaseBusy && error.cause ? error.cause : error
  } finally {
    await connections.close()
  }
}

/** A copy has two sides, and only their addresses tell them apart. */
class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  constructor(place: PostgresPlace, cause: unknown) {
    super(`The connection to ${describePlace(place)} was lost: ${(cause as Error).message}`, { cause })
  }
}

/** The tables of a database, read on one connection and written on another. */
class PostgresTables implements TableDatabase {
  readonly #reader: PostgresConnection
  readonly #writer: PostgresConnection
  /** Whether the reader is in a transaction that ends with the work. */
  readonly #isSnapshot: boolean
  #cursors = 0

  constructor(reader: PostgresConnection, writer: PostgresConnection, isSnapshot: boolean) {
    this.#reader = reader
    this.#writer = writer
    this.#isSnapshot = isSnapshot
  }

  async tables(): Promise<Table[]> {
    return tablesOf((await this.#reader.execute(columns)).rows as ColumnRow[])
  }

  async hasTable(name: string): Promise<boolean> {
    return (await this.#reader.execute(`SELECT to_regclass('${name}') AS known`)).rows[0].known !== null
  }

  async migrations(): Promise<{ id: string; at: number }[]> {
    if (!(await this.hasTable('schema_migrations'))) return []
    return (await this.#reader.execute('SELECT id, applied_at AS at FROM schema_migrations ORDER BY id COLLATE "C"'))
      .rows
  }

  /** A cursor: the database sorts by bytes once, which may differ from its indexes, and returns rows in batches. */
  async *rows({ name, columns, keyLength }: Table): AsyncGenerator<readonly Row[]> {
    const cursor = `rows_${++this.#cursors}`
    const order = columns
      .slice(0, keyLength)
      .map((column) => `"${column.name}"${column.kind === 'text' ? ' COLLATE "C"' : ''}`)
    if (!this.#isSnapshot) await this.#reader.execute('BEGIN READ ONLY')
    try {
      await this.#reader.execute(
        `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${named(columns)} FROM "${name}" ORDER BY ${order.join(', ')}`,
      )
      let wanted = 100
      for (;;) {
        const { rows } = await this.#reader.execute(`FETCH ${wanted} FROM ${cursor}`)
        if (rows.length === 0) return
        const batch = rows.map((row) => Object.values(row) as Row)
        yield batch
        const average = batch.reduce((sum, row) => sum + sizeOf(row), 0) / batch.length
        wanted = Math.max(1, Math.min(batchSize.rows, Math.floor(batchSize.characters / average)))
      }
    } finally {
      // If reading failed, that error is reported.
      await this.#reader.execute(this.#isSnapshot ? `CLOSE ${cursor}` : 'ROLLBACK').catch(() => {})
    }
  }

  async count({ name }: Table): Promise<number> {
    return (await this.#reader.execute(`SELECT COUNT(*) AS count FROM "${name}"`)).rows[0].count
  }

  async remove({ name, columns, keyLength }: Table, rows: readonly Row[]): Promise<void> {
    const key = columns.slice(0, keyLength)
    const matches = key.map((column) => `kept."${column.name}" = gone."${column.name}"`).join(' AND ')
    const sql = `DELETE FROM "${name}" kept USING ${recordsOf(key, 'gone')} WHERE ${matches}`
    await this.#send(`maintenance.remove.${name}`, sql, key, rows)
  }

  async add({ name, columns }: Table, rows: readonly Row[]): Promise<void> {
    const sql = `INSERT INTO "${name}" (${named(columns)}) SELECT ${named(columns)} FROM ${recordsOf(columns, 'added')}`
    await this.#send(`maintenance.add.${name}`, sql, columns, rows)
  }

  async execute(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.#writer.execute(sql)).rows
  }

  async settle(tables: readonly Table[]): Promise<void> {
    for (const { name } of tables) await this.#writer.execute(`ANALYZE "${name}"`)
  }

  /** Each statement is a transaction. */
  async #send(name: string, sql: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
    const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])))
    const statement = { name, sql, parameters: 1, reach: 'system', returning: false, arrays: false } as const
    await this.#writer.send([statement, [JSON.stringify(records)]])
  }
}

/** The rows in the single parameter as a table of this name. */
const recordsOf = (columns: readonly Column[], name: string): string =>
  `json_to_recordset($1::json) ${name} (${columns.map((column) => `"${column.name}" ${types[column.kind]}`).join(', ')})`
const types: Readonly<Record<Column['kind'], string>> = { text: 'TEXT', whole: 'BIGINT' }
