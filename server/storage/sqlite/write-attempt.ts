import { Attempt } from '../attempt.ts'
import type { Effect, Parameter } from '../database.ts'
import type { Statement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'

/** One run of a job within a group. Its statements run synchronously. */
export class WriteAttempt extends Attempt {
  readonly nestsWrites = false
  readonly hasRowIds = true
  readonly #connection: SqliteConnection
  #hasWritten = false

  constructor(connection: SqliteConnection) {
    super()
    this.#connection = connection
  }

  /** Whether a statement has changed rows. SQLite undoes a failed statement by itself. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    this.requireOpen()
    try {
      const rows = this.#connection.rows(statement, ...parameters)
      if (statement.returning && rows.length > 0) this.#hasWritten = true
      return rows
    } catch (error) {
      throw this.doom(error)
    }
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    this.requireOpen()
    try {
      const row = this.#connection.row(statement, ...parameters)
      if (statement.returning && row !== null) this.#hasWritten = true
      return row
    } catch (error) {
      throw this.doom(error)
    }
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    this.requireOpen()
    try {
      const changes = this.#connection.run(statement, ...parameters)
      if (changes > 0) this.#hasWritten = true
      return changes
    } catch (error) {
      throw this.doom(error)
    }
  }

  async effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    if (!statement.returning) return { rows: [], changes: this.run(statement, ...parameters) }
    const rows = this.rows(statement, ...parameters)
    return { rows, changes: rows.length }
  }
}
