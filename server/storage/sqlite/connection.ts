import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { checkParameters, type Parameter, type Sql } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'

/** Where tests reach in: to count statements, to make them fail, to die between them. */
export interface SqliteHooks {
  /** Before a statement runs; what it throws the statement throws. */
  readonly onStatement?: (name: string) => void
  /** Between a group's last statement and its COMMIT; what it throws the COMMIT throws. */
  readonly beforeCommit?: () => void
  /** The SQL to run in place of a statement's own. */
  readonly rewrite?: (name: string, sql: string) => string
}

/** How a connection is opened. */
export interface ConnectionOptions {
  readonly path: string
  readonly readOnly: boolean
  readonly hooks: SqliteHooks
}

const begin = systemStatement('sqlite.begin', 'BEGIN IMMEDIATE')
const beginDeferred = systemStatement('sqlite.beginDeferred', 'BEGIN')
/** A deferred transaction takes its snapshot at the first read. */
const takeSnapshot = systemStatement('sqlite.takeSnapshot', 'SELECT id FROM schema_migrations LIMIT 1')
const commit = systemStatement('sqlite.commit', 'COMMIT')
const rollback = systemStatement('sqlite.rollback', 'ROLLBACK')
const savepoint = systemStatement('sqlite.savepoint', 'SAVEPOINT work')
const release = systemStatement('sqlite.release', 'RELEASE work')
const rollbackTo = systemStatement('sqlite.rollbackTo', 'ROLLBACK TO work')

/** One connection to the file: prepares each statement once and answers at once, never waiting for a lock. */
export class SqliteConnection implements Sql {
  readonly #database: DatabaseSync
  readonly #hooks: SqliteHooks
  readonly #prepared = new Map<Statement, StatementSync>()

  constructor({ path, readOnly, hooks }: ConnectionOptions) {
    this.#hooks = hooks
    // Waiting for another process's lock would block the event loop: `timeout` 0, and callers try again later.
    this.#database = new DatabaseSync(path, { readOnly, timeout: 0, enableForeignKeyConstraints: true })
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    return this.#prepare(statement, parameters).all(...(parameters as SQLInputValue[])) as Row[]
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    return (this.#prepare(statement, parameters).get(...(parameters as SQLInputValue[])) as Row | undefined) ?? null
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    return Number(this.#prepare(statement, parameters).run(...(parameters as SQLInputValue[])).changes)
  }

  /** Runs SQL that is not worth preparing: pragmas and migrations. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  /** The value of a pragma. */
  pragma(name: string): unknown {
    return Object.values(this.#database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  }

  /** False too after an error that made SQLite roll the whole transaction back by itself. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Begins reading one snapshot; throws SQLITE_BUSY while another process repairs the log. */
  beginRead(): void {
    try {
      this.run(beginDeferred)
      this.row(takeSnapshot)
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Takes the write lock; throws SQLITE_BUSY while another process has it. */
  begin(): void {
    this.run(begin)
  }

  commit(): void {
    this.#hooks.beforeCommit?.()
    this.run(commit)
  }

  /** Ends the transaction, if there is one still. */
  rollback(): void {
    if (this.inTransaction) this.run(rollback)
  }

  /** Begins work that can be undone by itself within the transaction. */
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
    // node:sqlite binds by position to ?1, not to $1: that is a name to SQLite.
    const prepared = this.#database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
    if (statement.arrays) prepared.setReturnArrays(true)
    this.#prepared.set(statement, prepared)
    return prepared
  }
}
