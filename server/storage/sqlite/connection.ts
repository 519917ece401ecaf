import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { checkParameters, type Parameter, type Sql } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { explainingFileErrors } from './database-file-error.ts'
import { sqliteText } from './sqlite-text.ts'

/** Hooks for tests: they count statements, make them fail, or kill the process between them. */
export interface SqliteHooks {
  /** Called before a statement runs; an error it throws becomes the statement's. */
  readonly onStatement?: (name: string) => void
  /** Called between a group's last statement and its COMMIT; an error it throws becomes the COMMIT's. */
  readonly beforeCommit?: () => void
  /** Returns the SQL to run instead of the statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

interface ConnectionOptions {
  readonly path: string
  readonly readOnly: boolean
  readonly hooks: SqliteHooks
}

const begin = systemStatement('sqlite.begin', 'BEGIN IMMEDIATE')
const beginDeferred = systemStatement('sqlite.beginDeferred', 'BEGIN')
/** A deferred transaction takes its snapshot at its first read. */
const takeSnapshot = systemStatement('sqlite.takeSnapshot', 'SELECT id FROM schema_migrations LIMIT 1')
const commit = systemStatement('sqlite.commit', 'COMMIT')
const rollback = systemStatement('sqlite.rollback', 'ROLLBACK')
const savepoint = systemStatement('sqlite.savepoint', 'SAVEPOINT work')
const release = systemStatement('sqlite.release', 'RELEASE work')
const rollbackTo = systemStatement('sqlite.rollbackTo', 'ROLLBACK TO work')
/** Does nothing and returns the state of the log. Before SQLite 3.51 it is a passive checkpoint. */
const logState = systemStatement<{ log: number; checkpointed: number }>(
  'sqlite.logState',
  'PRAGMA wal_checkpoint(NOOP)',
)

/** One connection to the file. Prepares each statement once. Runs synchronously and never waits for a lock. */
export class SqliteConnection implements Sql {
  readonly #database: DatabaseSync
  readonly #hooks: SqliteHooks
  readonly #prepared = new Map<Statement, StatementSync>()
  readonly #readOnly: boolean

  constructor({ path, readOnly, hooks }: ConnectionOptions) {
    this.#hooks = hooks
    this.#readOnly = readOnly
    // Waiting for another process's lock would block the event loop, so `timeout` is 0 and callers retry.
    const options = { readOnly, timeout: 0, enableForeignKeyConstraints: true }
    this.#database = explainingFileErrors(path, () => new DatabaseSync(path, options))
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    const prepared = this.#prepare(statement, parameters)
    const bound = parameters as SQLInputValue[]
    try {
      return prepared.all(...bound) as Row[]
    } catch (error) {
      // Only a read can run twice.
      if (!this.#readOnly || !isLargeInteger(error)) throw error
      return rowsWithLargeIntegers(prepared, bound) as Row[]
    }
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    const prepared = this.#prepare(statement, parameters)
    const bound = parameters as SQLInputValue[]
    try {
      return (prepared.get(...bound) as Row | undefined) ?? null
    } catch (error) {
      if (!this.#readOnly || !isLargeInteger(error)) throw error
      return (rowsWithLargeIntegers(prepared, bound)[0] as Row | undefined) ?? null
    }
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    return Number(this.#prepare(statement, parameters).run(...(parameters as SQLInputValue[])).changes)
  }

  /** Runs SQL that is not worth preparing, such as pragmas and migrations. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  pragma(name: string): unknown {
    return Object.values(this.#database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  }

  /** Also false after an error for which SQLite rolled the transaction back itself. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Starts a read transaction; throws SQLITE_BUSY while another process recovers the write-ahead log. */
  beginRead(): void {
    try {
      this.run(beginDeferred)
      this.row(takeSnapshot)
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Starts a write transaction; throws SQLITE_BUSY while another process holds the write lock. */
  begin(): void {
    this.run(begin)
  }

  commit(): void {
    this.#hooks.beforeCommit?.()
    this.run(commit)
  }

  /** Rolls the transaction back, unless SQLite did already. */
  rollback(): void {
    if (this.inTransaction) this.run(rollback)
  }

  /** Sets a savepoint, so that a single job of the transaction can be undone. */
  beginWork(): void {
    this.run(savepoint)
  }

  keepWork(): void {
    this.run(release)
  }

  undoWork(): void {
    this.run(rollbackTo)
    this.run(release)
  }

  /** The number of frames in the write-ahead log, and how many of them are in the database file. */
  logFrames(): { readonly log: number; readonly checkpointed: number } {
    return this.row(logState)!
  }

  /** Copies pages from the write-ahead log into the database file, without waiting for readers. */
  checkpoint(): void {
    this.execute('PRAGMA wal_checkpoint(PASSIVE)')
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }

  #prepare(statement: Statement, parameters: readonly Parameter[]): StatementSync {
    checkParameters(statement, parameters)
    this.#hooks.onStatement?.(statement.name)
    const known = this.#prepared.get(statement)
    if (known) return known
    const sql = this.#hooks.rewrite?.(statement.name, statement.sql) ?? statement.sql
    const prepared = this.#database.prepare(sqliteText(sql))
    if (statement.arrays) prepared.setReturnArrays(true)
    this.#prepared.set(statement, prepared)
    return prepared
  }
}

/** Whether a row has an integer beyond 2^53, which node:sqlite refuses to read as a number. */
const isLargeInteger = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/**
 * Reads rows that were written by someone else: the service stores no such integers. They are rounded, so that the reader
 * can report them.
 */
function rowsWithLargeIntegers(prepared: StatementSync, bound: SQLInputValue[]): unknown[] {
  const rounded = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
  prepared.setReadBigInts(true)
  try {
    return prepared
      .all(...bound)
      .map((row: unknown) =>
        Array.isArray(row)
          ? row.map(rounded)
          : Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, rounded(value)])),
      )
  } finally {
    prepared.setReadBigInts(false)
  }
}
