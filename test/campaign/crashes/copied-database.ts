import { DatabaseSync } from 'node:sqlite'
import type { PostgresNode } from '../../support/databases/standby.ts'

const tableNames = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`

/** Copies a PostgreSQL database into SQLite in memory, so that the checks of the crash campaign read both engines alike. */
export async function copyDatabase(node: PostgresNode): Promise<DatabaseSync> {
  const copy = new DatabaseSync(':memory:')
  copy.exec('BEGIN')
  for (const { name: table } of await node.ask(tableNames)) {
    const columns = (
      await node.ask(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = '${table}' ORDER BY ordinal_position`,
      )
    ).map(({ name }) => String(name))
    copy.exec(`CREATE TABLE ${table} (${columns.map((name) => `${name} ${affinity(name)}`).join(', ')})`)
    const add = copy.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`)
    for (const row of await node.ask(`SELECT * FROM ${table}`)) {
      add.run(...columns.map((name) => row[name] as string | number | null))
    }
  }
  copy.exec('COMMIT')
  return copy
}

/** BIGINT arrives as text. NUMERIC affinity converts it to a number and leaves other text unchanged. */
const affinity = (column: string): string => (/^id$|_id$|hash|subject|phone/.test(column) ? 'TEXT' : 'NUMERIC')
