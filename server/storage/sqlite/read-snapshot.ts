import type { Parameter, Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'
import { lostSnapshot } from './sqlite-error.ts'

/** A connection for reads, which can be kept in one snapshot while a commit is visible but not durable. */
export class ReadSnapshot implements Sql {
  readonly #connection: SqliteConnection
  #isPinned = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /**
   * Keeps all reads in the present state until `unpin`.
   * @throws what a read throws
   */
  pin(): void {
    this.#connection.rollback()
    this.#connection.beginRead()
    this.#isPinned = true
  }

  unpin(): void {
    this.#isPinned = false
    this.#connection.rollback()
  }

  /** Starts a transaction for several reads, unless one is open. */
  begin(): void {
    if (!this.#isPinned) this.#connection.beginRead()
  }

  end(): void {
    if (!this.#isPinned) this.#connection.rollback()
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    this.#requireSnapshot()
    return this.#connection.rows(statement, ...parameters)
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    this.#requireSnapshot()
    return this.#connection.row(statement, ...parameters)
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    this.#requireSnapshot()
    return this.#connection.run(statement, ...parameters)
  }

  /** After an I/O error SQLite ends the transaction, and a new one would show what is not durable. */
  #requireSnapshot(): void {
    if (this.#isPinned && !this.#connection.inTransaction) throw lostSnapshot()
  }
}
