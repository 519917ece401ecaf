import { parseSqliteUrl } from '../../server/settings/database-settings.ts'
import type { PostgresHooks } from '../../server/storage/postgres/driver/connection.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import type { SqliteHooks } from '../../server/storage/sqlite/connection.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../../server/storage/storage.ts'
import { borrowPostgresDatabase } from './postgres-database.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

/** A value of a row. */
export type StoredValue = string | number | null

/** A row as it is in the database. */
export type StoredRow = Record<string, StoredValue>

/** Where tests reach into a storage: what both engines have. */
export type StorageHooks = SqliteHooks & PostgresHooks

/** A database that services of a test are on, and that the test asks past them: the thread waits for the answer. */
export interface TestDatabase {
  /** As `DATABASE_URL` would name it. */
  readonly url: string
  /** A storage on it, with connections of its own as another process has. */
  open(hooks?: StorageHooks): Promise<Storage>
  /** Runs SQL with `?` for each parameter; the rows, if it answers with any. */
  ask(sql: string, ...parameters: StoredValue[]): StoredRow[]
  /** Every row of every table at one moment, by table, in an order of their own. */
  everything(): Record<string, StoredRow[]>
  /** Every column of every table, by table. */
  columns(): { readonly table: string; readonly column: string }[]
  /** All that is kept: each file, or where none is in reach the values of every row; `database…` by name. */
  bytes(): Record<string, Buffer>
  /** When nobody is on it any more. */
  release(): Promise<void>
}

const serverUrl = process.env['TENANTRY_TEST_POSTGRES_URL']

/** Whether services of tests are on PostgreSQL: TENANTRY_TEST_POSTGRES_URL names a server. */
export const onPostgres = serverUrl !== undefined

/** An empty database of the engine that this run is about, its schema brought up to date by whoever opens it. */
export const openTestDatabase = (): TestDatabase =>
  serverUrl === undefined ? createSqliteDatabase() : borrowPostgresDatabase(serverUrl)

/** A storage on a database that another process made; for processes that have nothing but its URL. */
export const openStorageAt = (url: string, hooks: StorageHooks = {}): Promise<Storage> =>
  url.startsWith('sqlite:')
    ? openSqliteStorage({ path: parseSqliteUrl(url), hooks })
    : openPostgresStorage({ url, hooks })
