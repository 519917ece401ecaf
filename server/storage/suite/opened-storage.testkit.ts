import type { Storage } from '../storage.ts'

/** The rows of every table, for comparisons. */
export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A storage on a separate database. */
export interface OpenedStorage {
  readonly storage: Storage
  dump(): Promise<Dump>
  /** Runs statements on the database directly. */
  execute(sql: string): Promise<void>
  /** Closes it and removes the database. */
  close(): Promise<void>
}

/** Opens a storage on an empty database of an engine. */
export type OpenStorage = () => Promise<OpenedStorage>
