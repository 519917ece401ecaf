import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { askPostgres } from './ask-postgres.ts'
import type { StoredValue, TestDatabase } from './test-database.ts'

/** Names the locks that lend databases, among a server's other advisory locks. */
const lending = 7_465_741
/** What this process has already: a lock is no obstacle to who holds it. */
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
 * An empty database on a server. They are kept and emptied, as making one takes ten times as long; each is lent to one
 * process at a time by an advisory lock, which goes with the process.
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
      // An isolated transaction reads one moment; a row is ordered as a whole.
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

/** The number of a database that nobody has, made when there is none yet. */
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

/** `$1` and so on for each `?` that is not in a text. */
function numbered(sql: string): string {
  let count = 0
  return sql.replace(/'[^']*'|\?/g, (found) => (found === '?' ? `$${++count}` : found))
}
