import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

type Cell = string | number | null
/** A row by column name; all rows of one call have the same columns. */
export type NewRow = Readonly<Record<string, Cell>>

/** Inserts rows past the service, because 100,000 users take minutes through its API. */
export interface Rows {
  insert(table: string, rows: readonly NewRow[]): Promise<void>
  close(): Promise<void>
}

/** Rows per transaction; the service writes between them. */
const rowsPerTransaction = 5_000

/** Into a SQLite file that a server may have open. */
export function sqliteRows(path: string): Rows {
  const database = new DatabaseSync(path, { timeout: 60_000 })
  // A crash of the machine ends the bench too.
  database.exec('PRAGMA synchronous = OFF')
  return {
    async insert(table, rows) {
      if (rows.length === 0) return
      const names = Object.keys(rows[0] ?? {})
      const places = names.map(() => '?').join(', ')
      const statement = database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`)
      for (let from = 0; from < rows.length; from += rowsPerTransaction) {
        database.exec('BEGIN IMMEDIATE')
        for (const row of rows.slice(from, from + rowsPerTransaction)) statement.run(...Object.values(row))
        database.exec('COMMIT')
        await new Promise(setImmediate)
      }
      database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    },
    async close() {
      database.close()
    },
  }
}

/** Into a PostgreSQL database, as its owner. */
export async function postgresRows(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async insert(table, rows) {
      const names = Object.keys(rows[0] ?? {}).join(', ')
      const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`
      for (let from = 0; from < rows.length; from += rowsPerTransaction) {
        await client.query(sql, [JSON.stringify(rows.slice(from, from + rowsPerTransaction))])
      }
      await client.query('ANALYZE')
    },
    close: () => client.end(),
  }
}
