import type { Effect, Executor, Parameter, Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'

/**
 * One run of a piece of work within a group. As on PostgreSQL, a statement that failed has doomed it: whatever the work
 * makes of the error, nothing of it is kept.
 */
export class WriteAttempt implements Sql, Executor {
  readonly #connection: SqliteConnection
  readonly #followers: (() => void)[] = []
  #refusal: unknown = null
  #callsUnderWay = 0

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    this.#requireOpen()
    try {
      return this.#connection.rows(statement, ...parameters)
    } catch (error) {
      throw this.#doom(error)
    }
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    this.#requireOpen()
    try {
      return this.#connection.row(statement, ...parameters)
    } catch (error) {
      throw this.#doom(error)
    }
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    this.#requireOpen()
    try {
      return this.#connection.run(statement, ...parameters)
    } catch (error) {
      throw this.#doom(error)
    }
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.write(work)
  }

  /** Part of the attempt: there is nothing to begin or to commit. */
  async write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#requireOpen()
    this.#callsUnderWay++
    try {
      return await work(this)
    } finally {
      this.#callsUnderWay--
    }
  }

  async effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    if (!statement.returning) return { rows: [], changes: this.run(statement, ...parameters) }
    const rows = this.rows(statement, ...parameters)
    return { rows, changes: rows.length }
  }

  onCommit(then: () => void): void {
    this.#requireOpen()
    this.#followers.push(then)
  }

  /** What to call when the group is committed. */
  get followers(): readonly (() => void)[] {
    return this.#followers
  }

  /** Nothing more is taken from here on; throws when what was done must not be kept. */
  end(): void {
    const refusal =
      this.#refusal ??
      (this.#callsUnderWay > 0 ? new Error('A transaction ended before a call it had made: await every call') : null)
    this.#refusal = new Error('This transaction is over: its stores cannot be used any more')
    if (refusal !== null) throw refusal
  }

  #requireOpen(): void {
    if (this.#refusal !== null) throw this.#refusal
  }

  #doom(error: unknown): unknown {
    this.#refusal = error
    return error
  }
}
