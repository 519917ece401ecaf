import { Attempt } from '../attempt.ts'
import type { Effect, Parameter } from '../database.ts'
import type { Statement } from '../statement.ts'
import type { SqliteConnection } from './connection.ts'

/** One run of a job within a group. Its statements run synchronously. */
export class WriteAttempt extends Attempt {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    super()
    this.#connection = connection
  }

  rows<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row[] {
    this.requireOpen()
    try {
      return this.#connection.rows(statement, ...parameters)
    } catch (error) {
      throw this.doom(error)
    }
  }

  row<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Row | null {
    this.requireOpen()
    try {
      return this.#connection.row(statement, ...parameters)
    } catch (error) {
      throw this.doom(error)
    }
  }

  run(statement: Statement, ...parameters: Parameter[]): number {
    this.requireOpen()
    try {
      return this.#connection.run(statement, ...parameters)
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
