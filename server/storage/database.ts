import type { Statement } from './statement.ts'

/** A value to bind. Booleans are stored as 0 and 1, times as epoch milliseconds, structures as JSON text. */
export type Parameter = string | number | bigint | null

/** SQLite returns values synchronously, PostgreSQL returns promises. Stores always `await`. */
export type Awaitable<T> = T | Promise<T>

/** Runs registered statements. After one has failed, a transaction rejects all others. */
export interface Sql {
  /** All rows. */
  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row[]>
  /** The first row, or null. */
  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row | null>
  /** The number of rows changed. */
  run(statement: Statement, ...parameters: Parameter[]): Awaitable<number>
}

/** The result of a statement that writes. */
export interface Effect<Row> {
  /** The rows of its RETURNING clause. */
  readonly rows: readonly Row[]
  /** The number of rows changed. */
  readonly changes: number
}

/** What stores run their statements with. Inside a transaction every method runs as part of it. */
export interface Executor {
  /**
   * Reads committed data. Statements of one `work` may see different snapshots, so data that must agree takes one
   * statement.
   */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Runs `work` in a transaction that is durable when it resolves. `work` may run more than once and awaits only `sql`.
   */
  write<T>(work: (sql: Sql & Executor) => Promise<T>): Promise<T>
  /** Whether a statement may contain other statements that write (in WITH), which saves round trips. */
  readonly nestsWrites: boolean
  /** Whether tables have row ids (`rowid`), which rise as rows are added and find them without an index. */
  readonly hasRowIds: boolean
  /** A write of exactly one statement, which is cheaper than `write`. */
  effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>>
  /**
   * A write whose result does not matter. In a transaction it resolves at once and may be sent with the next statement or
   * the COMMIT, so that it takes no round trip; if it fails, these fail.
   */
  append(statement: Statement, ...parameters: Parameter[]): Promise<void>
}

/**
 * Rejects values that a driver would silently bind as something else: node:sqlite takes an object such as a `Date` for
 * named parameters and stores NULL, and it stores NaN as NULL.
 */
export function checkParameters(statement: Statement, parameters: readonly Parameter[]): void {
  if (parameters.length !== statement.parameters) {
    throw new TypeError(`${statement.name} takes ${statement.parameters} parameters; got ${parameters.length}`)
  }
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    if (typeof value === 'string' || value === null || typeof value === 'bigint') continue
    if (typeof value === 'number' && Number.isFinite(value)) continue
    const kind = typeof value === 'number' ? String(value) : typeof value
    throw new TypeError(`${statement.name}: $${index + 1} must be a string, a finite number or null; got ${kind}`)
  }
}
