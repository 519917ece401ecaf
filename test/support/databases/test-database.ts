import type { PostgresHooks } from '../../../server/storage/postgres/driver/connection.ts'
import type { SqliteHooks } from '../../../server/storage/sqlite/connection.ts'
import type { Storage } from '../../../server/storage/storage.ts'

/** A value of a row. */
export type StoredValue = string | number | null

/** A row of the database. */
export type StoredRow = Record<string, StoredValue>

/** Hooks that both engines have. */
export type StorageHooks = SqliteHooks & PostgresHooks

/** A database of test services, which the test queries directly; queries block the thread. */
export interface TestDatabase {
  /** Its `DATABASE_URL`. */
  readonly url: string
  /** Opens a storage with separate connections, like another process. */
  open(hooks?: StorageHooks): Promise<Storage>
  /** Runs SQL with `?` for each parameter; returns the rows. */
  ask(sql: string, ...parameters: StoredValue[]): StoredRow[]
  /** Every row of every table at one moment, by table, in a fixed order. */
  everything(): Record<string, StoredRow[]>
  /** Every column of every table, by table. */
  columns(): { readonly table: string; readonly column: string }[]
  /** All stored bytes by name: each file, or the values of every row where files are not accessible. */
  bytes(): Record<string, Buffer>
  /** Call when no service uses it any more. */
  release(): Promise<void>
}
