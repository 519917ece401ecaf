import type { Statement } from './statement.ts'

/** What may be bound. Booleans are stored as 0 and 1, times as epoch milliseconds, structures as JSON text. */
export type Parameter = string | number | bigint | null

/** A value now or later: SQLite answers at once, a server across a network does not. Stores always `await`. */
export type Awaitable<T> = T | Promise<T>

/** Runs registered statements. After one has failed, a transaction takes no more of them. */
export interface Sql {
  /** Every row it answers with. */
  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row[]>
  /** The first row, or null. */
  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Awaitable<Row | null>
  /** How many rows it changed. */
  run(statement: Statement, ...parameters: Parameter[]): Awaitable<number>
}

/** What a statement that writes came to. */
export interface Effect<Row> {
  /** Those it returns, if it returns any. */
  readonly rows: readonly Row[]
  /** How many rows it changed. */
  readonly changes: number
}

/** What stores are built on. Inside a transaction both run at once and belong to it. */
export interface Executor {
  /** Reads what is committed. Two statements of one `work` may see different moments: what must agree is one statement. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** All or nothing, durable when it resolves; may run more than once; awaits nothing but `sql`. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** A write of one statement and nothing else: across a network it takes one round trip where `write` takes two. */
  effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>>
}

/**
 * Refuses whatever a driver might bind differently from what was meant: node:sqlite takes an object (a `Date`, say) as
 * named parameters and stores NULL without a word, and NaN too becomes NULL.
 */
export function checkParameters(statement: Statement, parameters: readonly Parameter[]): void {
  if (parameters.length !== statement.parameters) {
    throw new TypeError(`${statement.name} takes ${statement.parameters} parameters, not ${parameters.length}`)
  }
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    if (typeof value === 'string' || value === null || typeof value === 'bigint') continue
    if (typeof value === 'number' && Number.isFinite(value)) continue
    const kind = typeof value === 'number' ? String(value) : typeof value
    throw new TypeError(`${statement.name}: $${index + 1} must be a string, a finite number or null, not ${kind}`)
  }
}
