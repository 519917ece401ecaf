import type { Storage } from '../storage.ts'

/** Every table's rows, for comparing before and after. */
export type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A storage on a database of its own. */
export interface OpenedStorage {
  readonly storage: Storage
  dump(): Promise<Dump>
  /** Closes it and removes the database. */
  close(): Promise<void>
}

/** How an engine lends the suite a fresh, empty storage. */
export type OpenStorage = () => Promise<OpenedStorage>
