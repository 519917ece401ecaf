import { openPostgresStorage } from '../../../server/storage/postgres/postgres-storage.ts'
import { askPostgres } from './ask-postgres.ts'
import type { StoredValue, TestDatabase } from './test-database.ts'

/** The first key of the advisory locks that assign databases to processes. */
const lending = 7_465_741
/** Databases in use by this process, which its own advisory locks do not exclude. */
const borrowed = new Set<number>()

const listTables = `SELECT tablename AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename <> 'schema_lock' ORDER BY tablename`

const empty = `DO $$ DECLARE name TEXT; BEGIN
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('schema_lock', 'schema_migrations', 'inbox_end')
  LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
  IF to_regclass('inbox_end') IS NOT NULL THEN EXECUTE 'UPDATE inbox_end SET place = 0'; END IF;
END $$`

/**
 * An empty database on a server. Databases are kept and emptied, because creating one takes ten times as long. An
 * advisory lock assigns each to one process and is released with it.
 */
export function borrowPostgresDatabase(serverUrl: string): TestDatabase {
  const number = firstFree(serverUrl)
  const url = databaseUrl(serverUrl, number)
  const ask = (sql: string, ...parameters: StoredValue[]) => askPostgres(url, sql, parameters).at(-1)!
  ask(empty)

  return {
    url,
    open: (hooks = {}) =>
      openPostgresStorage({ url, hooks, connections: 8, acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 }),
    ask: (sql, ...parameters) => ask(numbered(sql), ...parameters),
    everything() {
      const tables = ask(listTables).map(({ name }) => String(name))
      // One transaction, so that all tables are read at the same moment.
      const reads = tables.map((name) => `SELECT * FROM "${name}" AS r ORDER BY r`)
      const answers = askPostgres(url, ['BEGIN ISOLATION LEVEL REPEATABLE READ', ...reads, 'COMMIT'].join('; '), [])
      return Object.fromEntries(tables.map((name, index) => [name, answers[index + 1]!]))
    },
    columns: () =>
      ask(`SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name <> 'schema_lock'
        ORDER BY table_name, ordinal_position`) as { table: string; column: string }[],
    bytes() {
      const rows = Object.values(this.everything()).flat()
      return { database: Buffer.from(rows.flatMap((row) => Object.values(row)).join('\n')) }
    },
    async release() {
      askPostgres(serverUrl, 'SELECT pg_advisory_unlock($1, $2)', [lending, number])
      borrowed.delete(number)
    },
  }
}

/** The number of the first database that is not in use; creates it if necessary. */
function firstFree(serverUrl: string): number {
  const ask = (sql: string, ...parameters: StoredValue[]) => askPostgres(serverUrl, sql, parameters).at(-1)!
  for (let number = 1; ; number++) {
    if (borrowed.has(number)) continue
    if (!ask('SELECT pg_try_advisory_lock($1, $2) AS free', lending, number)[0]!['free']) continue
    borrowed.add(number)
    const name = databaseName(number)
    if (ask('SELECT 1 FROM pg_database WHERE datname = $1', name).length === 0) ask(`CREATE DATABASE ${name}`)
    return number
  }
}

const databaseName = (number: number): string => `tenantry_service_${number}`

function databaseUrl(serverUrl: string, number: number): string {
  const url = new URL(serverUrl)
  url.pathname = `/${databaseName(number)}`
  return url.href
}

/** Replaces each `?` outside of strings with `$1` and so on. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/'[^']*'|\?/g, (found) => (found === '?' ? `$${++count}` : found))
}
