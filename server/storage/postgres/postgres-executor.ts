import { setTimeout as delay } from 'node:timers/promises'
import type { Effect, Executor, Parameter, Sql } from '../database.ts'
import type { Statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { type Connections, DatabaseBusy } from './connections.ts'
import { failureOf, isServerError, OutcomeUnknown } from './postgres-error.ts'
import { beginningOf, commit, type Frame, PostgresTransaction, toEffect } from './transaction.ts'

/** How often work runs again that would lose for ever if its loss were no coincidence. */
const attemptsAtMost = 15
const longestPauseMs = 50

/** Runs work in transactions of one reach. */
export class PostgresExecutor implements Executor {
  readonly #connections: Connections
  readonly #frame: Omit<Frame, 'readOnly'>
  readonly #onError: (error: unknown) => void

  constructor(connections: Connections, frame: Omit<Frame, 'readOnly'>, onError: (error: unknown) => void) {
    this.#connections = connections
    this.#frame = frame
    this.#onError = onError
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#repeat((patienceMs) =>
      this.#connections.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, { ...this.#frame, readOnly: true })
        try {
          return await work(transaction)
        } finally {
          // Nobody waits for the end of a read: whatever comes next on the connection comes behind it.
          transaction.rollback()
        }
      }, patienceMs),
    )
  }

  write<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return this.#repeat(async (patienceMs) => {
      const { value, followers } = await this.#connections.use(async (connection) => {
        const transaction = new PostgresTransaction(connection, { ...this.#frame, readOnly: false })
        const value = await this.#run(transaction, work)
        await transaction.commit()
        return { value, followers: transaction.followers }
      }, patienceMs)
      for (const then of followers) this.#follow(then)
      return value
    })
  }

  /** Beginning, statement and COMMIT travel together. */
  effect<Row>(statement: Statement<Row>, ...parameters: Parameter[]): Promise<Effect<Row>> {
    return this.#repeat((patienceMs) =>
      this.#connections.use(async (connection) => {
        const beginning = beginningOf(connection, { ...this.#frame, readOnly: false })
        const answer = connection.send(statement, parameters)
        const end = commit(connection)
        end.catch(() => {})
        // The COMMIT is on its way: a connection lost from here on leaves open whether it arrived.
        const [effect] = await Promise.all([answer, ...beginning]).catch(throwUnknown)
        await end
        return toEffect<Row>(effect)
      }, patienceMs),
    )
  }

  async #run<T>(transaction: PostgresTransaction, work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    try {
      const value = await work(transaction)
      transaction.end()
      return value
    } catch (error) {
      endQuietly(transaction)
      await transaction.rollback()
      throw error
    }
  }

  /**
   * Runs work again that left no trace: it lost against another transaction, or its connection before the COMMIT.
   * @throws DatabaseBusy when it still does after the patience there is
   */
  async #repeat<T>(work: (patienceMs: number) => Promise<T>): Promise<T> {
    const { patienceMs } = this.#connections
    const begun = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(patienceMs - (performance.now() - begun))
      } catch (error) {
        const failure = error instanceof WriteConflict ? 'duplicate' : failureOf(error)
        if (failure === 'other' || (failure === 'duplicate' && attempt === attemptsAtMost)) throw error
        const pauseMs = Math.random() * Math.min(2 ** attempt, longestPauseMs)
        const isLate = performance.now() - begun + pauseMs >= patienceMs
        if (failure === 'slow' || isLate) throw failure === 'duplicate' ? error : new DatabaseBusy(error)
        await delay(pauseMs)
      }
    }
  }

  #follow(then: () => void): void {
    try {
      then()
    } catch (error) {
      this.#onError(error)
    }
  }
}

/** What the server itself refuses it has rolled back; a socket that broke tells nothing. */
function throwUnknown(error: Error): never {
  throw failureOf(error) === 'connection' && !isServerError(error) ? new OutcomeUnknown(error) : error
}

function endQuietly(transaction: PostgresTransaction): void {
  try {
    transaction.end()
  } catch {
    // The work's own error says more.
  }
}
