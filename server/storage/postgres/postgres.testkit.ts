import pg from 'pg'
import type { PostgresServer } from '../../../test/support/databases/postgres-server.ts'
import { until } from '../../../test/support/until.ts'
import type { Storage } from '../storage.ts'
import type { Dump, OpenedStorage } from '../suite/opened-storage.testkit.ts'
import type { PostgresEngine } from './postgres-engines.ts'
import { openPostgresStorage, type PostgresStorageOptions } from './postgres-storage.ts'

/** One database for a test file. It is emptied for each test, which is a hundred times faster than creating one. */
export interface PostgresForTests {
  readonly url: string
  /** Empties the database and opens a storage on it. */
  open(options?: Partial<PostgresStorageOptions>): Promise<OpenedStorage>
  /**
   * Empties the database for a storage whose connections stay open between tests, since opening them takes longer than
   * most tests. A test that closes the storage itself gets the next test a new one. The options of the first call apply.
   */
  openShared(options?: Partial<PostgresStorageOptions>): Promise<OpenedStorage>
  /** Runs SQL as the superuser; returns the rows of the last statement. */
  execute(sql: string): Promise<Record<string, unknown>[]>
  /** Resolves when this many connections wait for a lock. */
  untilBlocked(count: number): Promise<void>
  /** Stops the server too. */
  close(): Promise<void>
}

const int8 = 20
const blocked = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"

/** @param engine the engine that the server stands in for */
export async function postgresForTests(server: PostgresServer, engine?: PostgresEngine): Promise<PostgresForTests> {
  // So that texts without a collation compare as they do on the engine.
  const url = await server.createDatabase(engine?.dialect.text === 'TEXT' ? 'C' : undefined)
  const target = { url, ...(engine && { engine }) }
  await (await openPostgresStorage(target)).close()
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: ((oid: number) => (oid === int8 ? Number : pg.types.getTypeParser(oid))) as never },
  })
  await client.connect()
  const listed = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_lock' ORDER BY tablename`
  const tables: string[] = (await client.query(listed)).rows.map(({ tablename }) => tablename)
  const emptied = tables.filter((table) => table !== 'schema_migrations' && table !== 'inbox_end')
  const clear = [...emptied.map((table) => `DELETE FROM ${table}`), 'UPDATE inbox_end SET place = 0'].join('; ')

  const readAll = tables.map((table) => `SELECT * FROM ${table} AS r ORDER BY r`).join('; ')

  async function dump(): Promise<Dump> {
    const results = (await client.query(readAll)) as unknown as pg.QueryResult<Record<string, unknown>>[]
    return Object.fromEntries(tables.map((table, index) => [table, results[index]!.rows]))
  }

  async function execute(sql: string): Promise<void> {
    await client.query(sql)
  }

  async function open(options: Partial<PostgresStorageOptions> = {}): Promise<OpenedStorage> {
    await client.query(clear)
    const timeouts = { acquireTimeoutMs: 20_000, responseTimeoutMs: 20_000 }
    const storage = await openPostgresStorage({ ...target, connections: 8, migrate: false, ...timeouts, ...options })
    return { storage, dump, execute, close: () => storage.close() }
  }

  let shared: Storage | null = null
  async function openShared(options: Partial<PostgresStorageOptions> = {}): Promise<OpenedStorage> {
    if (shared) await client.query(clear)
    const storage = shared ?? (await open(options)).storage
    if (shared === null) {
      const close = storage.close.bind(storage)
      storage.close = () => {
        shared = null
        return close()
      }
      shared = storage
    }
    return { storage, dump, execute, close: async () => {} }
  }

  return {
    ...{ url, open, openShared },
    async execute(sql) {
      const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
      return Array.isArray(results) ? results.at(-1)!.rows : results.rows
    },
    untilBlocked: (count) =>
      until(async () => {
        // Within a transaction, pg_stat_activity is a snapshot of its first use.
        await client.query('SELECT pg_stat_clear_snapshot()')
        return (await client.query(blocked)).rowCount === count
      }),
    async close() {
      await shared?.close()
      await client.end()
      await server.close()
    },
  }
}
